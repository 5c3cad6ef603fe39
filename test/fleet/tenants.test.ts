import t from 'tap';
import { startFleet } from '../support/fleet.ts';
import { judgeDeliveries } from '../support/judge-deliveries.ts';
import { judgeNats } from '../support/judge-nats.ts';
import { judgeMessages } from '../support/judge-tenant-sockets.ts';
import { judgeRoutes } from '../support/judge-tenants.ts';
import { NatsBystander } from '../support/nats-bystander.ts';
import { withoutNats } from '../support/nats-server.ts';
import { DEFAULTS, serverOf } from '../support/server.ts';
import { openTenants, TENANTS_ENVIRONMENT } from '../support/tenants.ts';

/** As `test/integration/tenants.test.ts`, through an edge and a host, with somebody who reads all that they tell each other. */

t.test('two accounts of a fleet', { skip: withoutNats() }, async (t) => {
  const fleet = await startFleet({ ...DEFAULTS, ...TENANTS_ENVIRONMENT });
  t.teardown(() => fleet.close());
  const bystander = await NatsBystander.start(fleet);
  t.teardown(() => bystander.close());
  const tenants = await openTenants(serverOf(fleet));

  await t.test('sockets of two accounts at once', (t) => judgeDeliveries(t, tenants));
  await t.test('each message, with each kind of credential', (t) => judgeMessages(t, tenants));
  await t.test('each route, with each kind of credential', (t) => judgeRoutes(t, tenants));
  await t.test('what went over NATS', async (t) =>
    judgeNats(
      t,
      bystander,
      tenants,
      fleet.users.map(({ password }) => password),
    ),
  );
});
