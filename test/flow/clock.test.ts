import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { createClock, systemClock } from '../../server/flow/clock.ts';

const YEAR_MS = 8_760 * 3_600_000;

t.test('a task that is scheduled for later than 24.8 days does not run at once', async (t) => {
  const warnings: string[] = [];
  const warned = ({ name }: Error) => void warnings.push(name);
  process.on('warning', warned);
  t.teardown(() => process.off('warning', warned));
  const ran: number[] = [];
  const days = [25, 30, 365, 3_650];
  const takeBacks = days.map((count) => systemClock.schedule(count * 86_400_000, () => ran.push(count)));
  const soon = new Promise<void>((resolve) => systemClock.schedule(20, resolve));
  await sleep(40);
  await soon;
  for (const cancelTimer of takeBacks) cancelTimer();
  t.same([ran, warnings], [[], []]);
});

t.test('a task that throws is told of, and the thread and the other tasks go on', async (t) => {
  const faults: unknown[] = [];
  const clock = createClock((error) => faults.push(error));
  const fault = new Error('a bug');
  clock.schedule(1, () => {
    throw fault;
  });
  let ran = false;
  clock.schedule(2, () => {
    ran = true;
  });
  await sleep(50);
  t.same([faults, ran], [[fault], true]);
});

t.test('a delay that is no number is refused where it is made', async (t) => {
  t.throws(() => systemClock.schedule(Number.NaN, () => undefined), RangeError);
  t.doesNotThrow(() => systemClock.schedule(YEAR_MS, () => undefined)());
});
