import t, { type Test } from 'tap';
import { History, POST_MS } from '../../server/history/history.ts';
import type { FromHistory, ToHistory } from '../../server/history/messages.ts';
import type { Port } from '../../server/link/messages.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { tap } from '../support/histories.ts';

type Write = Extract<ToHistory, { kind: 'write' }>;
const isWrite = (one: ToHistory): one is Write => one.kind === 'write';

/** The gateway's side, with threads of which only what they are sent is known, and that say what the test says. */
function open(_t: Test, waitingBytesMax?: number) {
  const clock = new FakeClock();
  const threads: { sent: ToHistory[]; say: (message: FromHistory) => void; end: () => void }[] = [];
  const troubles: string[] = [];
  const spawn = (): Port<ToHistory, FromHistory> => {
    const sent: ToHistory[] = [];
    let say: (batch: readonly FromHistory[]) => void = () => undefined;
    let close: (reason: string) => void = () => undefined;
    threads.push({ sent, say: (message) => say([message]), end: () => close('it broke') });
    return {
      send: (batch) => void sent.push(...batch),
      onReceive: (listener) => {
        say = listener;
      },
      onClosed: (listener) => {
        close = listener;
      },
      close: async () => undefined,
    };
  };
  const onTrouble = (reason: string) => void troubles.push(reason);
  const history = new History({ spawn, clock, onTrouble, ...(waitingBytesMax && { waitingBytesMax }) });
  const session = history.begin('ses_1', false);
  const by = session.origin({ kind: 'key', id: 'key_1', transport: 'rest' });
  const add = (requestId: string) => {
    const entry = session.accepted(tap(requestId, 0.5, clock.wallMs()), by);
    session.ended(entry, { status: 'completed' }, 1);
    return entry;
  };
  const thread = (index = threads.length - 1) => threads[index] as (typeof threads)[number];
  return { clock, history, session, add, threads, thread, troubles };
}

const order = { sessionId: 'ses_1', after: 0, limit: 10, bytesMax: 1_000 };

t.test('news are posted together, four times a second, and nothing is where there are none', async (t) => {
  const { clock, add, thread } = open(t);
  await clock.advance(10_000);
  t.same(thread().sent, []);
  for (const id of ['a', 'b', 'c']) add(id);
  t.same(thread().sent, [], 'nothing on the path of a request');
  await clock.advance(POST_MS);
  t.match(thread().sent, [{ kind: 'write', pieces: [{ sessionId: 'ses_1', first: 1, count: 3 }] }]);
});

t.test('a read comes behind everything that was done before it', async (t) => {
  const { history, add, thread } = open(t);
  add('a');
  const reading = history.read('acc_1', order);
  t.match(thread().sent, [{ kind: 'write' }, { kind: 'read', order: { sessionId: 'ses_1', liveFrom: 1 } }]);
  const stretch = { bytes: new Uint8Array([1]), count: 1, last: 1, more: false };
  thread().say({ kind: 'stretch', call: 1, stretch });
  t.same(await reading, stretch);
  history.end('ses_1');
  void history.read('acc_1', order).catch(() => undefined);
  t.match(thread().sent.at(-1), { order: { liveFrom: Number.POSITIVE_INFINITY } });
});

t.test('reads of one account wait for each other, and those of another do not wait for them', async (t) => {
  const { history, thread } = open(t);
  const reads = Promise.allSettled(['acc_1', 'acc_1', 'acc_1', 'acc_2'].map((account) => history.read(account, order)));
  await new Promise(setImmediate);
  t.equal(thread().sent.length, 2);
  for (const call of [1, 2, 3, 4]) {
    thread().say({ kind: 'unavailable', call });
    await new Promise(setImmediate);
  }
  for (const read of await reads) t.match(read, { status: 'rejected', reason: { code: 'store_unavailable' } });
  t.equal(thread().sent.length, 4);
});

t.test('a thread that ends is started anew, and gets what it had not written; its readers are told', async (t) => {
  const { clock, history, add, threads, thread, troubles } = open(t);
  for (const id of ['a', 'b', 'c']) {
    add(id);
    await clock.advance(POST_MS);
  }
  const [first, second, third] = thread().sent.filter(isWrite);
  thread().say({ kind: 'written', batch: first?.batch ?? 0 });
  const reading = history.read('acc_1', order);
  const refused = t.rejects(reading, { code: 'store_unavailable' });
  thread().end();
  t.equal(history.state, 'ended');
  t.match(troubles, [/it broke/]);
  await refused;
  await t.rejects(history.read('acc_1', order), { code: 'store_unavailable' });
  add('d');
  await clock.advance(POST_MS);
  t.equal(threads.length, 1);
  await clock.advance(1_000);
  t.equal(threads.length, 2);
  t.equal(history.state, 'writing');
  const again = thread().sent.filter(isWrite);
  t.same(again.slice(0, 2), [second, third]);
  t.match(again[2], { pieces: [{ first: 4, count: 1 }] });
});

t.test('what waits is bounded: requests are lost, none is held up, and it goes on once there is room', async (t) => {
  const { clock, history, add, thread } = open(t, 1_000);
  let kept = 0;
  while (add(`a${kept}`) > 0) kept++;
  t.ok(kept > 1);
  add('lost');
  t.equal(history.lostCount, 2);
  await clock.advance(POST_MS);
  t.equal(add('still lost'), 0, 'it is posted, and not written');
  const [write] = thread().sent.filter(isWrite);
  thread().say({ kind: 'written', batch: write?.batch ?? 0 });
  t.equal(history.waitingBytes, 0);
  t.equal(add('next'), kept + 1);
  await clock.advance(POST_MS);
  t.match(thread().sent.filter(isWrite).at(-1)?.pieces[0]?.notes, [{ seq: kept + 1, lost: 3 }]);
});

t.test('trouble is told, and is over when the thread says so', async (t) => {
  const { history, thread, troubles } = open(t);
  thread().say({ kind: 'waiting', reason: 'full' });
  t.equal(history.state, 'waiting');
  thread().say({ kind: 'begun anew', reason: 'torn' });
  thread().say({ kind: 'well' });
  t.equal(history.state, 'writing');
  t.match(troubles, [/full/, /torn/]);
});
