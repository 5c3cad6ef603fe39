import type { ServerMessage } from '@runcloud/protocol';
import t from 'tap';
import { checkServerMessage } from '../../server/control/server-message-check.ts';
import { controlEngine } from '../support/control-engine.ts';
import { FakeClock } from '../support/fake-clock.ts';

const settledMicrotasks = () => new Promise<void>((resolve) => setImmediate(resolve));

t.test('a message that is as declared passes', async (t) => {
  t.doesNotThrow(() => checkServerMessage({ type: 'pong', id: 1, serverTimeUs: 2 }));
  t.doesNotThrow(() => checkServerMessage({ type: 'event', event: 'session.expiring', inMs: 0 }));
});

t.test('the result of an action is checked against what the action declares', async (t) => {
  const at = '2026-01-01T00:00:00.000Z';
  const done = (action: string, result?: Record<string, unknown>) => ({
    ...({
      ok: true,
      requestId: 'r',
      action,
      status: 'completed',
      acceptedAt: at,
      completedAt: at,
      durationMs: 0,
    } as const),
    ...(result && { result }),
  });
  t.doesNotThrow(() => checkServerMessage(done('tap', { pointCount: 1 })));
  t.doesNotThrow(() => checkServerMessage(done('reload')));
  t.throws(() => checkServerMessage(done('tap')), { message: /declared: result: / });
  t.throws(() => checkServerMessage(done('tap', { pointCount: 3 })), { message: /"pointCount" must be/ });
  t.throws(() => checkServerMessage(done('reload', {})), { message: /a result is not declared/ });
});

t.test('a message that is not ends its socket with 1011, and the log has the reason', async (t) => {
  const { open, faults } = await controlEngine(new FakeClock());
  const { connection, outlet } = open();
  connection.send({ type: 'event', event: 'session.expiring', inMs: -1 } as ServerMessage);
  await settledMicrotasks();
  t.equal(outlet.closed?.code, 1011);
  t.match(faults, [{ message: /^A message "event" is another than declared/ }]);
});
