import t from 'tap';
import { screenshotFigures } from '../../../bench/scenarios/screenshot/figures.ts';
import { needsService, SCREENSHOT_ROWS } from '../../../bench/scenarios/screenshot/rows.ts';
import { screenshot } from '../../../bench/scenarios/screenshot/screenshot.ts';
import { SCREENSHOT_COMPARISONS } from '../../../bench/scenarios/screenshot/targets.ts';

const options = { seconds: 0.02, rounds: 1, layouts: ['two-cores'], progress: () => undefined } as const;
type Rows = readonly ReturnType<typeof screenshotFigures>[];

t.test('every comparison names two rows that are measured', async (t) => {
  const names = new Set(SCREENSHOT_ROWS.map(({ name }) => name));
  t.equal(names.size, SCREENSHOT_ROWS.length);
  for (const { of, to } of SCREENSHOT_COMPARISONS) t.ok(names.has(of) && names.has(to), `${of} / ${to}`);
});

t.test('screenshots are taken from start to end, over both interfaces and beside the encoders', async (t) => {
  const { text, figures, goals } = await screenshot.run({ ...options, controlsOnly: false });
  const { rows, ratios } = figures as { rows: Rows; ratios: { ratio: number }[] };
  t.equal(rows.length, SCREENSHOT_ROWS.length);
  for (const { name, stills, p50Ms, p99Ms, bytes } of rows) {
    t.match(text, name);
    t.ok(stills > 0 && p50Ms > 0 && p50Ms <= p99Ms && bytes > 10_000, name);
  }
  t.ok(ratios.every(({ ratio }) => ratio > 0));
  t.equal(goals?.length, SCREENSHOT_COMPARISONS.filter(({ target }) => target !== undefined).length);
});

t.test('the controls are measured alone', async (t) => {
  const { figures, missed } = await screenshot.run({ ...options, controlsOnly: true });
  const { rows } = figures as { rows: Rows };
  t.equal(rows.length, SCREENSHOT_ROWS.filter((row) => !needsService(row)).length);
  t.ok(missed.length > 0, 'targets of a service that was not measured are missed');
});

t.test('percentiles are of the stills of all rounds together', async (t) => {
  const round = (tookMs: readonly number[], bytes: number) => ({ tookMs, bytes });
  t.match(screenshotFigures('a', [round([5, 1], 6), round([9, 3], 7)]), { stills: 4, p50Ms: 3, p99Ms: 9, bytes: 7 });
});
