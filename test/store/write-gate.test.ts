import t from 'tap';
import { LIMITS } from '../../protocol/terms.ts';
import { WriteGate } from '../../server/store/write-gate.ts';
import { FakeClock, settled } from '../support/fake-clock.ts';

const busy = () => Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });

function arena() {
  const clock = new FakeClock();
  const state = { locked: false, tries: 0, probes: 0 };
  const shut: boolean[] = [];
  const gate = new WriteGate({
    clock,
    isLocked: () => {
      state.probes += 1;
      return state.locked;
    },
    onShut: (now) => void shut.push(now),
  });
  const said: string[] = [];
  const write = (name: string) => {
    const task = () => {
      state.tries += 1;
      if (state.locked) throw busy();
      return name;
    };
    gate.through(task).then(
      (outcome) => said.push(outcome),
      (error) => said.push(`${name}: ${error.code}`),
    );
  };
  return { gate, clock, state, shut, said, write };
}

t.test('while the gate is open a task runs at once', async (t) => {
  const { state, write } = arena();
  write('one');
  t.equal(state.tries, 1);
});

t.test(
  'one writer finds the lock; those after it wait without trying, and all go on when it is given back',
  async (t) => {
    const { clock, state, shut, said, write } = arena();
    state.locked = true;
    for (const name of ['a', 'b', 'c']) {
      write(name);
      await settled();
    }
    t.equal(state.tries, 1);
    await clock.advance(100);
    t.strictSame(said, []);
    state.locked = false;
    await clock.advance(20);
    t.strictSame(said.sort(), ['a', 'b', 'c']);
    t.strictSame(shut, [true, false]);
    t.equal(clock.waiting, 0, 'no timer is left');
  },
);

t.test('a lock that lasts is answered in time, for those who came later from when they came', async (t) => {
  const { clock, state, said, write } = arena();
  state.locked = true;
  write('early');
  await clock.advance(300);
  write('late');
  await clock.advance(LIMITS.storeWaitMsMax - 300);
  t.strictSame(said, ['early: store_unavailable']);
  await clock.advance(300);
  t.strictSame(said, ['early: store_unavailable', 'late: store_unavailable']);
  t.equal(state.tries, 1);
});

t.test('a task that takes long before it writes waits for the lock as long as any other', async (t) => {
  const { gate, clock, state } = arena();
  let isFirst = true;
  const outcome = gate.through(async () => {
    if (isFirst) await new Promise<void>((resolve) => clock.schedule(LIMITS.storeWaitMsMax, resolve));
    isFirst = false;
    if (state.locked) throw busy();
    return 'written';
  });
  state.locked = true;
  await clock.advance(LIMITS.storeWaitMsMax);
  await clock.advance(LIMITS.storeWaitMsMax / 2);
  state.locked = false;
  await clock.advance(20);
  t.equal(await outcome, 'written');
});

t.test('other failures are the callers own, and shut nothing', async (t) => {
  const { gate, shut } = arena();
  const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  await t.rejects(
    gate.through(() => Promise.reject(full)),
    { code: 'SQLITE_FULL' },
  );
  t.strictSame(shut, []);
});

t.test('opening the gate lets everybody go on, and asks no more', async (t) => {
  const { gate, clock, state, said, write } = arena();
  state.locked = true;
  write('first');
  await settled();
  write('second');
  state.locked = false;
  gate.open();
  await settled();
  t.strictSame(said.sort(), ['first', 'second']);
  t.equal(clock.waiting, 0);
  t.equal(state.probes, 0);
});
