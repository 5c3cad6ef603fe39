import t from 'tap';
import { judgeDeliveries } from '../support/judge-deliveries.ts';
import { judgeMessages } from '../support/judge-tenant-sockets.ts';
import { judgeRoutes } from '../support/judge-tenants.ts';
import { startServer } from '../support/server.ts';
import { openTenants, TENANTS_ENVIRONMENT } from '../support/tenants.ts';

const server = await startServer(TENANTS_ENVIRONMENT);
t.teardown(() => server.close());
const tenants = await openTenants(server);

t.test('sockets of two accounts at once', (t) => judgeDeliveries(t, tenants));
t.test('each message, with each kind of credential', (t) => judgeMessages(t, tenants));
t.test('each route, with each kind of credential', (t) => judgeRoutes(t, tenants));
