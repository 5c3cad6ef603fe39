import t from 'tap';
import { FairScheduler, SCHEDULER_SLICE_MS, SHORT_TASKS_MAX } from '../../server/flow/fair-scheduler.ts';

/** Turns whose tasks take the time that they say, on a loop that goes round when the test says. */
function openTurns({ bytesMax = 1_000 } = {}) {
  let nowMs = 0;
  let deferred: (() => void)[] = [];
  const done: string[] = [];
  const restsMs: number[] = [];
  const faults: unknown[] = [];
  const scheduler = new FairScheduler({
    nowMs: () => nowMs,
    defer: (task) => void deferred.push(task),
    rest: (ms, task) => {
      restsMs.push(ms);
      deferred.push(task);
    },
    bytesMax,
    onFault: (error) => void faults.push(error),
  });
  return {
    scheduler,
    done,
    faults,
    restsMs,
    add: (party: string, name: string, ms: number, bytes = 1) =>
      scheduler.add(party, bytes, () => {
        nowMs += ms;
        done.push(name);
      }),
    spend(ms: number): void {
      nowMs += ms;
    },
    /** Goes round once; tells how long that took. */
    round(): number {
      const startMs = nowMs;
      const tasks = deferred;
      deferred = [];
      t.ok(tasks.length <= 1, 'one wake-up for all');
      for (const task of tasks) task();
      return nowMs - startMs;
    },
    get idle() {
      return deferred.length === 0;
    },
  };
}

t.test('queued tasks run after the other work of the event loop, in order for each party', async (t) => {
  const { add, done, round, ...loop } = openTurns();
  for (const name of ['1', '2', '3']) add('a', name, 0.1);
  t.same(done, [], 'never where it comes');
  round();
  t.same(done, ['1', '2', '3']);
  t.ok(loop.idle);
});

t.test('after a long task the loop is free for as long as the task took', async (t) => {
  const { add, round, restsMs, ...loop } = openTurns();
  for (const name of ['1', '2', '3']) add('a', name, 1.5);
  round();
  t.same(restsMs, [1.5]);
  round();
  t.same(restsMs, [1.5, 1.5]);
  round();
  t.same(restsMs, [1.5, 1.5], 'and nothing is waited for after the last one');
  t.ok(loop.idle);
  for (let count = 0; count < 20; count++) add('a', 'short', 0.04);
  round();
  round();
  t.same(restsMs, [1.5, 1.5], 'short ones go on as soon as the loop has gone round');
  t.ok(loop.idle);
});

t.test('after a short task that something else held up, the loop does not rest', async (t) => {
  const { scheduler, add, done, round, restsMs, spend, ...loop } = openTurns();
  const addShort = (name: string, ms: number) =>
    scheduler.addShort('a', 1, () => {
      spend(ms);
      done.push(name);
    });
  for (const name of ['1', '2', '3']) t.ok(addShort(name, 1.5));
  round();
  round();
  round();
  t.same(done, ['1', '2', '3'], 'a slice is as long as it is for all');
  t.same(restsMs, []);
  t.ok(loop.idle);
  addShort('held up', 0.875);
  add('a', 'long', 0.75);
  add('a', 'next', 0.1);
  round();
  round();
  t.same(restsMs, [0.75], 'a long one behind it counts');
  t.notOk(
    scheduler.addShort('a', 2_000, () => undefined),
    'it takes room as others do',
  );
});

t.test('where nothing waits, one task a round runs at once, and its time is told', async (t) => {
  const { scheduler, add, done, round, spend } = openTurns();
  const times: number[] = [];
  const task = () => {
    spend(2);
    return done;
  };
  const runIfIdle = () => scheduler.runIfIdle(task, (ms) => times.push(ms));
  t.equal(runIfIdle(), done);
  t.equal(runIfIdle(), undefined, 'the next one waits for the next round');
  round();
  t.equal(runIfIdle(), done);
  add('a', 'queued', 1);
  round();
  t.same(done, ['queued']);
  add('a', 'another', 1);
  t.equal(runIfIdle(), undefined, 'nothing overtakes what waits');
  t.same(times, [2, 2]);
});

t.test('the loop is held for no longer than a slice and a task', async (t) => {
  const arena = openTurns({ bytesMax: 1_000_000 });
  for (let index = 0; index < 300; index++) arena.add(`party ${index % 7}`, '', 0.3);
  for (let index = 0; index < 20; index++) arena.add('heavy', '', 4);
  let rounds = 0;
  while (!arena.idle) {
    t.ok(arena.round() <= SCHEDULER_SLICE_MS + 4 + 1e-9);
    rounds++;
  }
  t.equal(arena.done.length, 320);
  t.ok(rounds > 50, `${rounds} times the loop was free in between`);
});

t.test('parties get the same time, whatever their tasks take and however many there are', async (t) => {
  const arena = openTurns({ bytesMax: 1_000_000 });
  const spentMs = { light: 0, heavy: 0 };
  const tasks = [
    ['light', 0.1],
    ['heavy', 5],
  ] as const;
  for (const [party, ms] of tasks) {
    for (let index = 0; index < 2_000; index++) arena.add(party, party, ms);
  }
  while (arena.done.filter((name) => name === 'light').length < 2_000) arena.round();
  for (const name of arena.done) spentMs[name as 'light' | 'heavy'] += name === 'light' ? 0.1 : 5;
  t.ok(spentMs.heavy < spentMs.light * 1.1 + 5, `${spentMs.heavy} ms and ${spentMs.light} ms`);
});

t.test('a party that comes after another has filled the queue waits for one time slice and one task', async (t) => {
  const arena = openTurns({ bytesMax: 1_000_000 });
  for (let index = 0; index < 10_000; index++) arena.add('flood', 'flood', 2);
  arena.round();
  arena.add('other', 'other', 0.1);
  let waitedMs = 0;
  while (!arena.done.includes('other')) waitedMs += arena.round();
  t.ok(waitedMs <= 2 * (SCHEDULER_SLICE_MS + 2), `${waitedMs} ms`);
});

t.test('the queued bytes of one party are limited, without any effect on other parties', async (t) => {
  const { add, done, round } = openTurns({ bytesMax: 2_000 });
  t.ok(add('a', '1', 0.1, 1_000));
  t.notOk(add('a', '2', 0.1, 1_000));
  t.ok(add('a', '3', 0.1, 400));
  t.ok(add('b', '4', 0.1, 5_000), 'one is always taken');
  round();
  t.same(done, ['1', '3', '4']);
  t.ok(add('a', '5', 0.1, 1_000), 'there is room again');
});

t.test(
  'in one turn of the loop each party has some short tasks done where they come, and the others wait',
  async (t) => {
    const { scheduler, round } = openTurns();
    const [one, other] = [scheduler.budgetOf('one'), scheduler.budgetOf('other')];
    t.equal(scheduler.budgetOf('one'), one, 'all of a party have one share');
    for (let count = 0; count < SHORT_TASKS_MAX; count++) t.ok(scheduler.mayRunNow(one));
    t.notOk(scheduler.mayRunNow(one));
    t.ok(scheduler.mayRunNow(other), 'nothing is taken from another');
    round();
    t.ok(scheduler.mayRunNow(one), 'the next turn has room again');
  },
);

t.test('a task that fails holds up no other', async (t) => {
  const { scheduler, add, done, faults, round } = openTurns();
  const fault = new Error('no');
  scheduler.add('a', 1, () => {
    throw fault;
  });
  add('a', 'next', 0.1);
  round();
  t.same(faults, [fault]);
  t.same(done, ['next']);
});

t.test('each task is told what it took', async (t) => {
  let nowMs = 0;
  const deferred: (() => void)[] = [];
  const scheduler = new FairScheduler({
    nowMs: () => nowMs,
    defer: (task) => void deferred.push(task),
    rest: (_, task) => void deferred.push(task),
    bytesMax: 10,
    onFault: () => undefined,
  });
  const told: number[] = [];
  const run = () => {
    nowMs += 3;
  };
  scheduler.add('a', 1, run, (ms) => void told.push(ms));
  deferred[0]?.();
  t.same(told, [3]);
});

t.test('a task that adds to its own line has one place for it in the ring, and order is kept behind it', async (t) => {
  const arena = openTurns({ bytesMax: 1_000_000 });
  const { scheduler, add, done, round } = arena;
  let left = 5;
  const goOn = () => {
    arena.spend(1.2);
    if (--left > 0) scheduler.addUnbounded('a', goOn);
  };
  scheduler.addUnbounded('a', goOn);
  while (left > 0) round();
  // More than a slice has room for, so that new ones come while others wait.
  const names = Array.from({ length: 40 }, (_, index) => `a${index}`);
  for (const [index, name] of names.entries()) {
    add('a', name, 0.7);
    if (index > 5) round();
  }
  while (!arena.idle) round();
  t.same(
    done.filter((name) => name.startsWith('a')),
    names,
  );
});

t.test("the service's own tasks are done however much waits", async (t) => {
  const { scheduler, add, round } = openTurns({ bytesMax: 1_000 });
  add('a', 'long', 0.1, 900);
  t.notOk(add('a', 'refused', 0.1, 900));
  let isDone = false;
  scheduler.addUnbounded('a', () => {
    isDone = true;
  });
  round();
  t.ok(isDone);
});
