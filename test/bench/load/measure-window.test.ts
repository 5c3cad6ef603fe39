import t from 'tap';
import { MeasureWindow } from '../../../bench/load/measure-window.ts';

const job = { warmUpMs: 10, measureMs: 100 };

t.test('an answer before or after the window counts only in the total', async (t) => {
  const window = new MeasureWindow(job, 1_000_000);
  for (const atUs of [1_005_000, 1_010_000, 1_109_999, 1_110_000, 1_200_000]) window.record(atUs, atUs - 1_000_000);
  const { answers, answersInAll, perSecond, p50Us, maxUs } = window.figures();
  t.strictSame([answers, answersInAll], [2, 5]);
  t.strictSame([Math.round(perSecond), p50Us, maxUs], [20, 10_000, 109_999]);
});

t.test('a window in which the machine stood still goes on until its first answer, and no longer', async (t) => {
  const window = new MeasureWindow(job, 1_000_000);
  window.record(1_005_000, 5_000);
  window.record(1_510_000, 505_000);
  t.equal(window.untilUs, 1_510_000, 'nobody sends any more');
  window.record(1_510_000, 1);
  window.record(1_520_000, 1);
  const { answers, perSecond, p50Us } = window.figures();
  t.strictSame([answers, perSecond, p50Us], [1, 2, 505_000]);
});
