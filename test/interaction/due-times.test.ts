import t from 'tap';
import { DeadlineWheel } from '../../server/flow/deadline-wheel.ts';
import { type Due, DueTimes } from '../../server/interaction/due-times.ts';
import { FakeClock } from '../support/fake-clock.ts';

interface Named extends Due {
  readonly name: string;
}

function open(onDue: (one: Named) => void = () => undefined, turn?: (task: () => void) => void) {
  const clock = new FakeClock();
  const added: number[] = [];
  const wheel = new DeadlineWheel(clock);
  const deadlines = Object.create(wheel) as DeadlineWheel;
  deadlines.add = (delayMs, task) => {
    added.push(delayMs);
    return wheel.add(delayMs, task);
  };
  const pending = new Set<Named>();
  const heard: string[] = [];
  const faults: (readonly [name: string, error: unknown])[] = [];
  const due = new DueTimes<Named>({
    clock,
    deadlines,
    pending: () => pending,
    onDue: (one) => {
      heard.push(one.name);
      pending.delete(one);
      onDue(one);
    },
    onFault: (error, { name }) => faults.push([name, error]),
    ...(turn ? { turn } : {}),
  });
  const set = (name: string, delayMs: number) => {
    const one = { name, dueMs: 0 };
    pending.add(one);
    due.set(one, delayMs, clock.monotonicMs());
    return one;
  };
  return { clock, added, pending, heard, faults, due, set };
}

t.test('each is told when its time has come, never early, in whatever order they were set', async (t) => {
  const { clock, heard, set } = open();
  set('late', 1_000);
  set('soon', 100);
  set('later', 5_000);
  await clock.advance(99);
  t.strictSame(heard, []);
  await clock.advance(21);
  t.strictSame(heard, ['soon']);
  await clock.advance(1_000);
  t.strictSame(heard, ['soon', 'late']);
  await clock.advance(4_000);
  t.strictSame(heard, ['soon', 'late', 'later']);
});

t.test('a crowd with the same time has one deadline among them', async (t) => {
  const { clock, added, heard, set } = open();
  for (let index = 0; index < 1_000; index++) set(`r${index}`, 15_000);
  t.strictSame(added, [15_000]);
  await clock.advance(15_020);
  t.equal(heard.length, 1_000);
  t.equal(heard[999], 'r999');
});

t.test('one whose time is put off is told at its new time alone', async (t) => {
  const { clock, heard, due, set } = open();
  const one = set('moving', 100);
  for (let step = 0; step < 10; step++) {
    await clock.advance(90);
    due.set(one, 100, clock.monotonicMs());
  }
  t.strictSame(heard, []);
  await clock.advance(120);
  t.strictSame(heard, ['moving']);
});

t.test('ended requests never become due, and no timer runs without pending requests', async (t) => {
  const { clock, added, heard, due, pending, set } = open();
  set('one', 100);
  pending.clear();
  due.clear();
  await clock.advance(200);
  t.strictSame(heard, []);
  set('two', 50);
  t.strictSame(added, [100, 50]);
  await clock.advance(70);
  t.strictSame(heard, ['two']);
});

t.test(
  'a request whose listener throws is named, and does not delay others, due at the same time or later',
  async (t) => {
    const { clock, heard, faults, set } = open(({ name }) => {
      if (name === 'broken') throw new Error('broken');
    });
    set('broken', 100);
    set('whole', 100);
    set('later', 300);
    await t.resolves(clock.advance(120));
    t.strictSame(heard, ['broken', 'whole']);
    t.match(faults, [['broken', { message: 'broken' }]]);
    await clock.advance(200);
    t.strictSame(heard, ['broken', 'whole', 'later']);
  },
);

t.test('thousands that are due together are told in turns, with others in between, and all of them', async (t) => {
  const tasks: (() => void)[] = [];
  // Telling one of its end takes a tenth of a millisecond.
  const slow = () => clock.turn(0.1);
  const { clock, heard, set, due } = open(slow, (task) => void tasks.push(task));
  for (let index = 0; index < 1_000; index++) set(`${index}`, 100);
  set('later', 60_000);
  await clock.advance(120);
  t.same(heard, [], 'not before its turn');
  let most = 0;
  let turns = 0;
  for (let task = tasks.shift(); task; task = tasks.shift()) {
    const before = heard.length;
    task();
    most = Math.max(most, heard.length - before);
    turns++;
  }
  t.equal(heard.length, 1_000);
  t.ok(most < 10 && turns > 100, `${most} at a time in ${turns} turns`);
  await clock.advance(60_000);
  for (const task of tasks.splice(0)) task();
  t.equal(heard.at(-1), 'later');
  due.clear();
});
