import type { Layout } from '../../processes/pin.ts';
import { missedGoals, ratioGoals } from '../../report/goals.ts';
import { compareRows } from '../../report/ratios.ts';
import { interleave } from '../interleave.ts';
import type { Scenario, ScenarioOptions } from '../scenario.ts';
import { DragBed } from './bed.ts';
import { type DragRowFigures, dragFigures } from './figures.ts';
import { formatReport, ratioTitle } from './report.ts';
import { DRAG_ROWS } from './rows.ts';
import { DRAG_COMPARISONS } from './targets.ts';

/** At 120 steps per second a row needs several seconds for its highest percentiles. */
const TIMES = 8;

async function measure(layout: Layout, options: ScenarioOptions): Promise<DragRowFigures[]> {
  const { controlsOnly, progress, rounds, seconds } = options;
  progress(`${layout}: starting servers`);
  const bed = await DragBed.open(layout, controlsOnly);
  try {
    const rows = DRAG_ROWS.filter(({ server }) => !(controlsOnly && server === 'RunCloud'));
    const found = await interleave(rows, rounds, (row, round) => {
      if (row === rows[0]) progress(`${layout}: ${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`}`);
      return bed.measure(row, seconds * 1_000 * TIMES * (round === 0 ? 0.2 : 1));
    });
    return rows.map(({ name }, at) => dragFigures(name, found[at] ?? []));
  } finally {
    await bed.close();
  }
}

/** Measures the steps of a live gesture, beside a bare echo at the same rate. */
export const drag: Scenario = {
  name: 'drag',
  summary: 'a live pointer at 120 steps a second, watched and not, beside a bare echo at that pace',
  async run(options) {
    // With one core for everything, the cost of viewers says little, as in `fanout`.
    const [only] = options.layouts;
    const layout: Layout = options.layouts.length === 1 && only ? only : 'two-cores';
    const rows = await measure(layout, options);
    const ratios = compareRows(rows, DRAG_COMPARISONS);
    const goals = ratioGoals(ratios, ratioTitle, layout);
    return {
      text: formatReport(layout, rows, ratios),
      figures: { layout, rows, ratios },
      goals,
      missed: missedGoals(goals),
    };
  },
};
