import t, { type Test } from 'tap';
import { MessageRing } from '../../server/control/message-ring.ts';
import { RequestIndex } from '../../server/interaction/request-index.ts';
import { startServer } from '../support/server.ts';
import { NO_VIOLATIONS, surviveCuts, type Violations } from '../support/survive-cuts.ts';

const server = await startServer();
t.teardown(() => server.close());

/** The names of the promises that are not kept. */
async function broken(t: Test, miscountedBy?: number): Promise<string[]> {
  const counts = miscountedBy === undefined ? {} : { miscountedBy };
  const { violations } = await surviveCuts(t, server, { cuts: 40, interactions: 800, ...counts });
  const names = Object.keys(NO_VIOLATIONS) as (keyof Violations)[];
  return names.filter((name) => String(violations[name]) !== String(NO_VIOLATIONS[name]));
}

t.test('the run finds a service that keeps no messages', async (t) => {
  t.intercept(MessageRing.prototype, 'after', { value: () => [] });
  const found = await broken(t);
  t.ok(found.includes('lost'), `${found}`);
});

t.test('the run finds a service that forgets the ids of what it has done', async (t) => {
  t.intercept(RequestIndex.prototype, 'ended', { value: () => undefined });
  const found = await broken(t);
  t.ok(found.includes('unequal') && found.includes('effects'), `${found}`);
});

t.test('the run finds a client that counts one message too few', async (t) => {
  const found = await broken(t, -1);
  t.ok(found.includes('doubled') || found.includes('miscounted'), `${found}`);
});

t.test('the run finds a client that counts one message too many', async (t) => {
  const found = await broken(t, 1);
  t.ok(found.includes('lost') || found.includes('refused'), `${found}`);
});
