import t from 'tap';
import { type Sender, SendScheduler, SLICE_MS, threadSendScheduler } from '../../server/screen/send-scheduler.ts';

const sender = (serve: () => void, failed: (error: unknown) => void = () => undefined): Sender => ({
  queued: false,
  serve,
  failed,
});

/** Longer than a slice, and than the millisecond that timers are wide. */
const LONG_MS = 1.2;

function busy(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}

t.test('timers and input have their turn between two slices', async (t) => {
  const order: string[] = [];
  for (let index = 0; index < 6; index++) {
    threadSendScheduler.add(
      sender(() => {
        busy(LONG_MS);
        order.push(`sender ${index}`);
      }),
    );
  }
  threadSendScheduler.run();
  t.same(order, ['sender 0'], 'one slice at once');
  await new Promise<void>((resolve) => {
    const note = () => {
      order.push('timer');
      if (order.filter((name) => name.startsWith('sender')).length === 6) resolve();
      else setTimeout(note, 0);
    };
    setTimeout(note, 0);
  });
  const senders = order.map((name, place) => (name === 'timer' ? -1 : place)).filter((place) => place >= 0);
  t.equal(senders.length, 6);
  t.ok(order.slice(0, senders.at(-1)).filter((name) => name === 'timer').length >= 3, order.join(', '));
});

t.test('a sender that is added twice has one turn, and may add itself anew', async (t) => {
  const deferred: (() => void)[] = [];
  const scheduler = new SendScheduler({ nowMs: () => 0, defer: (task) => void deferred.push(task) });
  let turns = 0;
  const again = sender(() => {
    if (++turns < 3) scheduler.add(again);
  });
  scheduler.add(again);
  scheduler.add(again);
  scheduler.run();
  t.equal(turns, 3);
});

t.test('runs of one round of the loop share one slice, whoever asks for them', async (t) => {
  const deferred: (() => void)[] = [];
  let nowMs = 0;
  const scheduler = new SendScheduler({ nowMs: () => nowMs, defer: (task) => void deferred.push(task) });
  let turns = 0;
  const slow = () =>
    sender(() => {
      nowMs += SLICE_MS * 0.6;
      turns++;
    });
  for (let index = 0; index < 5; index++) {
    scheduler.add(slow());
    scheduler.run();
  }
  t.equal(turns, 2);
  t.equal(deferred.length, 1);
  for (const expected of [4, 5]) {
    for (const task of deferred.splice(0)) task();
    t.equal(turns, expected);
  }
  for (const task of deferred.splice(0)) task();
  t.equal(deferred.length, 0, 'an empty queue defers nothing more');
});

t.test('a turn that fails is told to its sender, and the next one has its turn', async (t) => {
  const scheduler = new SendScheduler({ nowMs: () => 0, defer: () => undefined });
  const failures: unknown[] = [];
  let served = false;
  scheduler.add(
    sender(
      () => {
        throw new Error('broken');
      },
      (error) => failures.push(error),
    ),
  );
  scheduler.add(
    sender(() => {
      served = true;
    }),
  );
  scheduler.run();
  t.match(failures, [{ message: 'broken' }]);
  t.ok(served);
});
