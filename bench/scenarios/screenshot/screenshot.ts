import { missedGoals, ratioGoals } from '../../report/goals.ts';
import { compareRows } from '../../report/ratios.ts';
import type { StillsFigures } from '../../stills/job.ts';
import { interleave } from '../interleave.ts';
import type { Scenario, ScenarioOptions } from '../scenario.ts';
import { ScreenshotBed } from './bed.ts';
import { type ScreenshotFigures, screenshotFigures } from './figures.ts';
import { formatReport, ratioTitle } from './report.ts';
import { needsService, SCREENSHOT_ROWS, type ScreenshotRow } from './rows.ts';
import { SCREENSHOT_COMPARISONS } from './targets.ts';

/** A still with its tap and pause takes 10 ms, while `--seconds` is meant for thousands of requests per second. */
const TIMES = 8;
/** Excluded from the start of each measurement, because of a fresh connection and cold caches. */
const WARM_UP = 8;

function measureRow(bed: ScreenshotBed, row: ScreenshotRow, measureMs: number): Promise<StillsFigures> {
  return bed.stills.run({ job: bed.job(row), warmUp: WARM_UP, measureMs }).catch((error: Error) => {
    throw new Error(`${row.name}: ${error.message}\n${bed.lastWords()}`.trim());
  });
}

async function measure(options: ScenarioOptions): Promise<ScreenshotFigures[]> {
  const { controlsOnly, progress, rounds, seconds } = options;
  progress('starting the service');
  const bed = await ScreenshotBed.open(controlsOnly);
  try {
    const rows = SCREENSHOT_ROWS.filter((row) => !(controlsOnly && needsService(row)));
    const found = await interleave(rows, rounds, (row, round) => {
      if (row === rows[0]) progress(round === 0 ? 'warm-up' : `round ${round} of ${rounds}`);
      return measureRow(bed, row, seconds * 1_000 * TIMES * (round === 0 ? 0.2 : 1));
    });
    return rows.map(({ name }, at) => screenshotFigures(name, found[at] ?? []));
  } finally {
    await bed.close();
  }
}

/** Measures the time of a screenshot, beside the encoding of its picture. */
export const screenshot: Scenario = {
  name: 'screenshot',
  summary: 'a PNG of the screen over REST and the control socket, beside the encoder alone',
  share: { rounds: 2 },
  async run(options) {
    const rows = await measure(options);
    const ratios = compareRows(rows, SCREENSHOT_COMPARISONS);
    const goals = ratioGoals(ratios, ratioTitle);
    return { text: formatReport(rows, ratios), figures: { rows, ratios }, goals, missed: missedGoals(goals) };
  },
};
