import fc from 'fast-check';
import t from 'tap';
import { DeadlineWheel } from '../../server/flow/deadline-wheel.ts';
import { FakeClock } from '../support/fake-clock.ts';

const TICK_MS = 10;
const TURN_MS = 512 * TICK_MS;

/** A wheel that notes how late each deadline fired. */
function open(startMs = 1_003) {
  const clock = new FakeClock(startMs);
  const wheel = new DeadlineWheel(clock);
  const fired: { name: string; lateMs: number }[] = [];
  const add = (delayMs: number, name = `${delayMs}`) => {
    const dueMs = clock.monotonicMs() + delayMs;
    return wheel.add(delayMs, () => fired.push({ name, lateMs: clock.monotonicMs() - dueMs }));
  };
  const names = () => fired.map(({ name }) => name);
  return { clock, wheel, fired, add, names };
}

t.test('a deadline fires once, never early and at most a tick late, whenever it is added', async (t) => {
  for (const startMs of [1_000, 1_003, 1_009.5]) {
    const { clock, fired, add } = open(startMs);
    for (let delayMs = 0; delayMs < 60; delayMs += 1.5) {
      add(delayMs);
      await clock.advance(1.25);
    }
    await clock.advance(TURN_MS * 2);
    t.equal(fired.length, 40);
    for (const { name, lateMs } of fired) t.ok(lateMs >= 0 && lateMs <= TICK_MS + 1, `${name} was ${lateMs} ms late`);
  }
});

t.test('a deadline that is due at once fires with the next tick, also on the very edge of one', async (t) => {
  const { clock, add, names } = open(1_000);
  add(5_000, 'keeps the wheel turning');
  add(0);
  add(-50);
  await clock.advance(TICK_MS);
  t.same(names(), ['0', '-50']);
});

t.test('a deadline past one turn of the ring waits for its own turn', async (t) => {
  const { clock, add, names } = open();
  for (const turns of [1, 2, 3, 10]) add(TURN_MS * turns + 5, `${turns}`);
  await clock.advance(TURN_MS);
  t.same(names(), []);
  await clock.advance(TURN_MS * 2 + 20);
  t.same(names(), ['1', '2', '3']);
  await clock.advance(TURN_MS * 7);
  t.same(names(), ['1', '2', '3', '10']);
});

t.test('a deadline that was taken back never fires, and taking back twice is quiet', async (t) => {
  const { clock, add, names } = open();
  const taken = add(30);
  add(40);
  taken.cancel();
  taken.cancel();
  await clock.advance(100);
  t.same(names(), ['40']);
});

t.test('a deadline can be taken back by one that fires in the same tick', async (t) => {
  const { clock, wheel, fired, add } = open();
  wheel.add(20, () => later.cancel());
  const later = add(20);
  await clock.advance(100);
  t.same(fired, []);
});

t.test('after a pause of the thread everything due fires once, and what is not due waits', async (t) => {
  const { clock, add, names } = open();
  add(50);
  add(TURN_MS + 50);
  add(TURN_MS * 5);
  await clock.pause(TURN_MS * 3);
  t.same(names().sort(), ['50', `${TURN_MS + 50}`].sort());
  await clock.advance(TURN_MS * 2 + TICK_MS);
  t.equal(names().at(-1), `${TURN_MS * 5}`);
});

t.test('a deadline that adds itself again does not hold the thread', async (t) => {
  const { clock, wheel } = open(1_000);
  let count = 0;
  const again = () => {
    count++;
    if (count < 1_000) wheel.add(0, again);
  };
  wheel.add(0, again);
  await clock.pause(TURN_MS * 2);
  t.ok(count <= 2, `${count} times`);
});

t.test('an empty wheel leaves no timer behind, and starts again with its next deadline', async (t) => {
  const { clock, add, names } = open();
  add(15);
  await clock.advance(1_000);
  t.equal(clock.waiting, 0);
  await clock.advance(123_456.7);
  add(25);
  await clock.advance(36);
  t.same(names(), ['15', '25']);
});

t.test('a deadline that throws is told of, and holds up no other of its tick or after it', async (t) => {
  const clock = new FakeClock(1_000);
  const faults: unknown[] = [];
  const wheel = new DeadlineWheel(clock, { onFault: (error) => faults.push(error) });
  const fired: string[] = [];
  const broken = (name: string) => () => {
    throw new Error(name);
  };
  wheel.add(20, broken('first'));
  wheel.add(20, () => fired.push('same tick'));
  wheel.add(20, broken('second'));
  wheel.add(500, () => fired.push('later'));
  await t.resolves(clock.advance(1_000), 'nothing reaches the timer');
  t.match(faults, [{ message: 'first' }, { message: 'second' }]);
  t.same(fired, ['same tick', 'later']);
});

t.test('closing takes everything back, also from within a deadline', async (t) => {
  const { clock, wheel, add, names } = open();
  wheel.add(20, () => wheel.close());
  add(20);
  add(500);
  await clock.advance(1_000);
  t.same(names(), []);
  t.equal(clock.waiting, 0);
});

t.test('thousands of deadlines fire as a sorted list would, whatever is added and taken back', async (t) => {
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.record({ add: fc.integer({ min: 0, max: 12_000 }) }) },
    { weight: 2, arbitrary: fc.record({ cancel: fc.nat() }) },
    { weight: 2, arbitrary: fc.record({ advance: fc.integer({ min: 0, max: 700 }) }) },
    { weight: 1, arbitrary: fc.record({ pause: fc.integer({ min: 0, max: 9_000 }) }) },
  );
  const property = fc.asyncProperty(fc.array(step, { minLength: 100, maxLength: 400 }), async (steps) => {
    const { clock, fired, add } = open();
    const model = new Map<string, { dueMs: number; cancel: () => void }>();
    let pausedUntilMs = 0;
    const check = () => {
      const nowMs = clock.monotonicMs();
      for (const { name, lateMs } of fired.splice(0)) {
        const known = model.get(name);
        if (!known || lateMs < 0) throw new Error(`${name} fired ${known ? 'early' : 'again or after its cancel'}`);
        const excusedMs = Math.max(0, pausedUntilMs - known.dueMs);
        if (lateMs > excusedMs + TICK_MS + 1) throw new Error(`${name} was ${lateMs} ms late`);
        model.delete(name);
      }
      for (const [name, { dueMs }] of model) {
        if (dueMs + TICK_MS + 1 < nowMs && dueMs > pausedUntilMs) throw new Error(`${name} is overdue`);
      }
    };
    for (const [index, action] of steps.entries()) {
      if ('add' in action) {
        const deadline = add(action.add, `${index}`);
        const cancel = () => deadline.cancel();
        model.set(`${index}`, { dueMs: clock.monotonicMs() + action.add, cancel });
      } else if ('cancel' in action) {
        const [name, entry] = [...model][action.cancel % Math.max(1, model.size)] ?? [];
        entry?.cancel();
        if (name !== undefined) model.delete(name);
      } else if ('advance' in action) {
        await clock.advance(action.advance);
      } else {
        await clock.pause(action.pause);
        pausedUntilMs = clock.monotonicMs();
      }
      check();
    }
    await clock.advance(13_000);
    check();
    if (model.size > 0) throw new Error(`${model.size} never fired`);
  });
  await t.resolves(fc.assert(property, { numRuns: 25 }));
});
