import t from 'tap';
import type { PointerPhase } from '../../server/device/driver.ts';
import { DeviceFault } from '../../server/device/fault.ts';
import { LiveSteps } from '../../server/host/live-steps.ts';

const POINTS = [{ x: 0.5, y: 0.5 }];
const ENDED = { name: 'DeviceFault', kind: 'aborted' };

/** A device that takes steps at once, or not, and fails at those of the phases that it is told. */
function open(isQuick: boolean) {
  const taken: PointerPhase[] = [];
  const failing = new Set<PointerPhase>();
  const takeStep = (phase: PointerPhase) => {
    taken.push(phase);
    if (failing.has(phase)) throw new DeviceFault('failed', `no ${phase}`);
  };
  const steps = new LiveSteps({
    pointer: async (phase) => takeStep(phase),
    ...(isQuick && { pointerNow: takeStep }),
  });
  const take = async (phase: PointerPhase): Promise<void> => {
    if (isQuick) steps.takeNow(phase, POINTS, 1);
    else await steps.take(phase, POINTS, 1);
  };
  return { steps, taken, failing, take };
}

for (const isQuick of [false, true]) {
  const how = isQuick ? 'at once' : 'in time';

  t.test(
    `${how}: a gesture that fails is lifted at once, and the rest of it is refused until the next begins`,
    async (t) => {
      for (const phase of ['begin', 'move', 'end'] as const) {
        const { taken, failing, take } = open(isQuick);
        if (phase !== 'begin') await take('begin');
        failing.add(phase);
        await t.rejects(take(phase), { message: `no ${phase}` });
        t.same(taken.slice(-2), [phase, 'cancel']);
        const before = taken.length;
        for (const late of ['move', 'end'] as const) await t.rejects(take(late), ENDED);
        await take('cancel');
        t.equal(taken.length, before, 'nothing more reaches the device');
        failing.clear();
        for (const next of ['begin', 'move', 'end'] as const) await take(next);
        t.same(taken.slice(before), ['begin', 'move', 'end']);
      }
    },
  );

  t.test(`${how}: steps of a gesture whose begin never came, or that has ended, are refused`, async (t) => {
    const { taken, take } = open(isQuick);
    await t.rejects(take('end'), ENDED);
    await take('begin');
    await take('end');
    await t.rejects(take('move'), ENDED);
    await take('begin');
    await take('cancel');
    await t.rejects(take('end'), ENDED);
    t.same(taken, ['begin', 'end', 'begin', 'cancel']);
  });
}

t.test('a device that cannot take steps at once is not asked to', async (t) => {
  const { steps, taken } = open(false);
  t.equal(steps.takeNow('begin', POINTS, 1), false);
  t.same(taken, []);
});

t.test('a device that cannot lift the fingers says why it failed first', async (t) => {
  for (const isQuick of [false, true]) {
    const { failing, take } = open(isQuick);
    for (const phase of ['begin', 'cancel'] as const) failing.add(phase);
    await t.rejects(take('begin'), { message: 'no begin' });
  }
});
