import type { Layout } from '../../processes/pin.ts';
import { absoluteGoal, missedGoals, ratioGoals } from '../../report/goals.ts';
import { compareRows } from '../../report/ratios.ts';
import { interleave } from '../interleave.ts';
import type { Scenario, ScenarioOptions } from '../scenario.ts';
import { RecordBed } from './bed.ts';
import { type RecordFigures, recordFigures } from './figures.ts';
import { formatReport, ratioTitle } from './report.ts';
import { RECORD_ROWS } from './rows.ts';
import { READY_MS_MAX, RECORD_COMPARISONS } from './targets.ts';

/** With `--seconds 3`, recordings last a minute. */
const TIMES = 20;

async function measure(layout: Layout, options: ScenarioOptions): Promise<RecordFigures[]> {
  const { controlsOnly, progress, rounds, seconds } = options;
  progress(`${layout}: starting the service`);
  const bed = await RecordBed.open(layout);
  try {
    const rows = RECORD_ROWS.filter(({ recorded }) => !(controlsOnly && recorded));
    const found = await interleave(rows, rounds, (row, round) => {
      if (row === rows[0]) progress(`${layout}: ${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`}`);
      return bed.measure(row, seconds * 1_000 * TIMES * (round === 0 ? 0.2 : 1)).catch((error: Error) => {
        throw new Error(`${row.name}: ${error.message}\n${bed.lastWords()}`.trim());
      });
    });
    return rows.map(({ name }, at) => recordFigures(name, found[at] ?? []));
  } finally {
    await bed.stop();
  }
}

/** Measures the cost of a recording for a session with viewers and taps, beside the same session without one. */
export const record: Scenario = {
  name: 'record',
  summary: 'a moving screen with viewers and taps, recorded beside not recorded',
  share: { rounds: 2 },
  async run(options) {
    // With one core for everything the figures say little, as in `fanout`.
    const [only] = options.layouts;
    const layout: Layout = options.layouts.length === 1 && only ? only : 'two-cores';
    const rows = await measure(layout, options);
    const ratios = compareRows(rows, RECORD_COMPARISONS);
    const recorded = rows.filter(({ readyMs }) => !Number.isNaN(readyMs));
    const goals = [
      ...ratioGoals(ratios, ratioTitle, layout),
      ...recorded.map(({ readyMs }) => absoluteGoal('stop to ready', 'ms', readyMs, READY_MS_MAX, 'at most')),
    ];
    return {
      text: formatReport(layout, rows, ratios),
      figures: { layout, rows, ratios },
      goals,
      missed: missedGoals(goals),
    };
  },
};
