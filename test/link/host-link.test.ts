import t from 'tap';
import type { DeviceListener } from '../../server/link/host-link.ts';
import { HostLink } from '../../server/link/host-link.ts';
import type { FromHost } from '../../server/link/messages.ts';
import { settled } from '../support/fake-clock.ts';
import { portPair } from '../support/port-pair.ts';

/** A link whose far end is the test itself. */
function open() {
  const pair = portPair();
  const faults: unknown[] = [];
  const lines: object[] = [];
  const log = { error: (line: object) => void lines.push(line) };
  const link = new HostLink(pair.gateway, { onFault: (error) => faults.push(error), log });
  const say = async (...messages: FromHost[]) => {
    pair.host.send(messages, []);
    await settled();
  };
  return { pair, link, say, faults, lines };
}

/** Hears what a device says. */
function witness() {
  const heard: string[] = [];
  const listener: DeviceListener = {
    lost: (reason) => void heard.push(`lost: ${reason}`),
    orientation: (orientation) => void heard.push(orientation),
  };
  return { heard, listener };
}

const UNREACHABLE = { name: 'DeviceFault', kind: 'unreachable' };

t.test('each answer finds its own question, in whatever order they come', async (t) => {
  const { link, say } = open();
  const one = link.ask('releaseAll', 1, {});
  const two = link.ask('releaseAll', 1, {});
  await say({ kind: 'answer', call: two.id, value: 'second' }, { kind: 'answer', call: one.id, value: 'first' });
  t.strictSame([await one.answered, await two.answered], ['first', 'second']);
});

t.test('while the messages of a batch are delivered it has a number, which no other batch has', async (t) => {
  const { link, say } = open();
  const seen: number[] = [];
  const request = { requestId: 'g', timeoutMs: 100, action: 'reload' } as const;
  const ask = () =>
    link.begin(
      { kind: 'perform', call: 0, device: 1, request, inputSeq: 1, wantsSteps: false },
      { answered: () => void seen.push(link.batch), failed: () => undefined },
    );
  const answerTo = (call: number): FromHost => ({ kind: 'answer', call, value: undefined });
  t.equal(link.batch, 0);
  await say(answerTo(ask()), answerTo(ask()));
  await say(answerTo(ask()));
  t.equal(link.batch, 0);
  t.strictSame(seen, [1, 1, 2]);
});

t.test('the questions of one turn leave in one batch and keep their order', async (t) => {
  const { pair, link } = open();
  const first = link.ask('screenshot', 1, { settled: false });
  link.ask('inspect', 2, {});
  link.cancel(first.id);
  await settled();
  t.equal(pair.gateway.sent.length, 1);
  t.strictSame(
    pair.gateway.sent[0]?.map(({ kind }) => kind),
    ['screenshot', 'inspect', 'cancel'],
  );
});

t.test('a fault rejects with its kind, its words and the steps that were done', async (t) => {
  const { link, say } = open();
  const call = link.ask('releaseAll', 1, {});
  const refused = t.rejects(call.answered, { kind: 'failed', message: 'The key is stuck.', dispatchedSteps: 3 });
  await say({
    kind: 'fault',
    call: call.id,
    fault: { kind: 'failed', message: 'The key is stuck.', dispatchedSteps: 3 },
  });
  await refused;
});

t.test('steps are told while the call runs, and not after its end', async (t) => {
  const { link, say } = open();
  const told: number[] = [];
  const request = { requestId: 'g', timeoutMs: 100, action: 'reload' } as const;
  const receiver = {
    answered: () => undefined,
    failed: () => undefined,
    steps: (steps: number) => void told.push(steps),
  };
  const id = link.begin({ kind: 'perform', call: 0, device: 1, request, inputSeq: 1, wantsSteps: true }, receiver);
  await say({ kind: 'steps', call: id, steps: 1 }, { kind: 'steps', call: id, steps: 5 });
  await say({ kind: 'answer', call: id, value: undefined }, { kind: 'steps', call: id, steps: 6 });
  t.strictSame(told, [1, 5]);
});

t.test('ended and unknown calls are ignored in silence, on both ways', async (t) => {
  const { pair, link, say } = open();
  const call = link.ask('releaseAll', 1, {});
  await say({ kind: 'answer', call: call.id, value: undefined });
  await say(
    { kind: 'answer', call: call.id, value: 'again' },
    { kind: 'fault', call: 77, fault: { kind: 'failed', message: '' } },
  );
  link.cancel(call.id);
  link.cancel(78);
  await settled();
  t.equal(pair.gateway.sent.flat().length, 1);
  t.equal(await call.answered, undefined);
});

t.test('an error of a receiver or a listener is reported, and the rest of the batch is delivered', async (t) => {
  const { link, say, faults } = open();
  const broken = () => {
    throw new Error('a bug');
  };
  link.listen(1, { lost: broken, orientation: broken });
  const request = { requestId: 'g', timeoutMs: 100, action: 'reload' } as const;
  const receiver = { answered: broken, failed: broken };
  const id = link.begin({ kind: 'perform', call: 0, device: 1, request, inputSeq: 1, wantsSteps: false }, receiver);
  const other = link.ask('releaseAll', 2, {});
  await say(
    { kind: 'orientation', device: 1, orientation: 'portrait' },
    { kind: 'answer', call: id, value: undefined },
    { kind: 'answer', call: other.id, value: 'heard' },
  );
  t.equal(await other.answered, 'heard');
  t.match(faults, [{ message: 'a bug' }, { message: 'a bug' }]);
});

t.test('when the host dies every call is rejected and every device is told lost, once', async (t) => {
  const { pair, link } = open();
  const { heard, listener } = witness();
  link.listen(1, listener);
  link.listen(2, listener);
  const calls = [1, 2, 3].map((device) => t.rejects(link.ask('inspect', device, {}).answered, UNREACHABLE));
  pair.breakHost('exit code 1');
  await Promise.all(calls);
  pair.breakHost('again');
  await link.close();
  t.equal(link.closedReason, 'exit code 1');
  t.strictSame(heard, ['lost: exit code 1', 'lost: exit code 1']);
  await t.rejects(link.ask('inspect', 1, {}).answered, UNREACHABLE);
});

t.test('a lost device takes only its own calls along', async (t) => {
  const { link, say } = open();
  const { heard, listener } = witness();
  link.listen(1, listener);
  const lost = t.rejects(link.ask('inspect', 1, {}).answered, UNREACHABLE);
  const other = link.ask('releaseAll', 2, {});
  await say({ kind: 'lost', device: 1, reason: 'unplugged' }, { kind: 'answer', call: other.id, value: undefined });
  await lost;
  await t.resolves(other.answered);
  await say({ kind: 'lost', device: 1, reason: 'again' }, { kind: 'orientation', device: 1, orientation: 'portrait' });
  t.strictSame(heard, ['lost: unplugged']);
});

t.test('a device that was lost before anybody listened is told lost to the first who does', async (t) => {
  const { link, say } = open();
  const { heard, listener } = witness();
  await say({ kind: 'lost', device: 1, reason: 'unplugged' });
  link.listen(1, listener);
  t.strictSame(heard, ['lost: unplugged']);
});

t.test('a listener that is added after the host has died is told so', async (t) => {
  const { pair, link } = open();
  const { heard, listener } = witness();
  pair.breakHost('exit code 1');
  link.listen(1, listener);
  t.strictSame(heard, ['lost: exit code 1']);
});

t.test('a forgotten device is not heard any more, not even when its host dies', async (t) => {
  const { pair, link, say } = open();
  const { heard, listener } = witness();
  link.listen(1, listener);
  await say({ kind: 'orientation', device: 1, orientation: 'landscape_left' });
  link.forget(1);
  await say({ kind: 'orientation', device: 1, orientation: 'portrait' });
  pair.breakHost('exit code 1');
  t.strictSame(heard, ['landscape_left']);
});

t.test('the log names the sessions and recordings that go with a host, and nothing where it was closed', async (t) => {
  const { pair, link, lines, say } = open();
  link.listen(1, { lost: () => undefined, orientation: () => undefined }, { sessionId: 'ses_1' });
  link.listen(2, { lost: () => undefined, orientation: () => undefined }, { sessionId: 'ses_2' });
  link.openRecording(2, { ended: () => undefined }, { sessionId: 'ses_2', recordingId: 'rec_1' });
  await say({ kind: 'lost', device: 1, reason: 'unplugged' });
  pair.breakHost('exit code 3');
  t.match(lines, [
    { sessionId: 'ses_1', reason: 'unplugged' },
    { sessionId: 'ses_2', recordingId: 'rec_1', code: 'device_lost' },
    { sessionId: 'ses_2', reason: 'exit code 3' },
  ]);
  const other = open();
  other.link.listen(1, { lost: () => undefined, orientation: () => undefined }, { sessionId: 'ses_1' });
  await other.link.close();
  t.strictSame(other.lines, []);
});
