import { missedGoals, ratioGoals } from '../../report/goals.ts';
import { compareRows } from '../../report/ratios.ts';
import { interleave } from '../interleave.ts';
import type { Scenario, ScenarioOptions } from '../scenario.ts';
import { CrowdedBed } from './bed.ts';
import { type CrowdedFigures, crowdedFigures } from './figures.ts';
import { formatReport, ratioTitle } from './report.ts';
import { CROWDED_ROWS } from './rows.ts';
import { CROWDED_COMPARISONS } from './targets.ts';

/** A p99 of 200 taps per second needs several seconds. */
const TIMES = 15;

async function measure({ controlsOnly, progress, rounds, seconds }: ScenarioOptions): Promise<CrowdedFigures[]> {
  progress('starting the service');
  const bed = await CrowdedBed.open();
  try {
    const rows = CROWDED_ROWS.filter(({ crowd }) => !(controlsOnly && crowd === 'session'));
    const found = await interleave(rows, rounds, (row, round) => {
      if (row === rows[0]) progress(round === 0 ? 'warm-up' : `round ${round} of ${rounds}`);
      return bed.measure(row, seconds * 1_000 * TIMES * (round === 0 ? 0.2 : 1)).catch((error: Error) => {
        throw new Error(`${row.name}: ${error.message}\n${bed.lastWords()}`.trim());
      });
    });
    return rows.map(({ name }, at) => crowdedFigures(name, found[at] ?? []));
  } finally {
    await bed.stop();
  }
}

/** Measures how much a crowd that watches a moving screen delays the taps on it. */
export const crowded: Scenario = {
  name: 'crowded',
  summary: 'taps on a moving screen with 200 viewers, beside the same session at rest',
  async run(options) {
    const rows = await measure(options);
    const ratios = compareRows(rows, CROWDED_COMPARISONS);
    const goals = ratioGoals(ratios, ratioTitle);
    return { text: formatReport(rows, ratios), figures: { rows, ratios }, goals, missed: missedGoals(goals) };
  },
};
