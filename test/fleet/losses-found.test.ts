import t, { type Test } from 'tap';
import { MessageRing } from '../../server/control/message-ring.ts';
import { RequestIndex } from '../../server/interaction/request-index.ts';
import { type Loss, surviveFleetLosses } from '../support/fleet-losses.ts';
import { withoutNats } from '../support/nats-server.ts';
import { withoutPostgres } from '../support/postgres.ts';
import { NO_VIOLATIONS, type Violations } from '../support/survive-cuts.ts';

/** What judges a fleet under losses finds a host that does not keep its promises. */

const skip = withoutNats() || withoutPostgres();
const LOSSES = Array<Loss>(4).fill('one of two edges killed');

/** The names of the promises that are not kept. */
async function broken(t: Test): Promise<string[]> {
  const { violations } = await surviveFleetLosses(t, LOSSES, 5_000);
  const names = Object.keys(NO_VIOLATIONS) as (keyof Violations)[];
  return names.filter((name) => String(violations[name]) !== String(NO_VIOLATIONS[name]));
}

t.test('one that keeps no messages is found', { skip }, async (t) => {
  t.intercept(MessageRing.prototype, 'after', { value: () => [] });
  const found = await broken(t);
  t.ok(found.includes('lost'), `${found}`);
});

t.test('one that forgets the ids of what it has done is found', { skip }, async (t) => {
  t.intercept(RequestIndex.prototype, 'ended', { value: () => undefined });
  const found = await broken(t);
  t.ok(found.includes('unequal') && found.includes('effects'), `${found}`);
});
