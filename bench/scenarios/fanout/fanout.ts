import type { Layout } from '../../processes/pin.ts';
import { missedGoals, ratioGoals } from '../../report/goals.ts';
import { compareRows } from '../../report/ratios.ts';
import { interleave } from '../interleave.ts';
import type { Scenario, ScenarioOptions } from '../scenario.ts';
import { FanOutBed } from './bed.ts';
import { fanOutFigures } from './figures.ts';
import { formatReport, type LayoutFigures, ratioTitle } from './report.ts';
import { FAN_OUT_ROWS, isService } from './rows.ts';
import { COMPARISONS } from './targets.ts';

/** With only 60 pictures per second, rows need a multiple of the measuring time of faster scenarios. */
const TIMES = 3;

async function measureLayout(layout: Layout, options: ScenarioOptions): Promise<LayoutFigures> {
  const { controlsOnly, progress, rounds, seconds } = options;
  progress(`${layout}: starting servers`);
  const bed = await FanOutBed.open(layout, controlsOnly);
  try {
    const rows = FAN_OUT_ROWS.filter(({ subject }) => !(controlsOnly && isService(subject)));
    const found = await interleave(rows, rounds, (row, round) => {
      if (row === rows[0]) progress(`${layout}: ${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`}`);
      return bed.measure(row, seconds * 1_000 * TIMES * (round === 0 ? 0.2 : 1));
    });
    const figures = rows.map((row, at) => fanOutFigures(row, found[at] ?? []));
    return { layout, rows: figures, ratios: compareRows(figures, COMPARISONS) };
  } finally {
    await bed.close();
  }
}

/** Measures the cost of each of many viewers of one moving screen, beside a bare sender of the same bytes. */
export const fanout: Scenario = {
  name: 'fanout',
  summary: 'a moving screen for 1 to 1,000 viewers, beside bare publishing and sending of the same bytes',
  share: { rounds: 2 },
  async run(options) {
    // On one core the figures would be those of the thousand viewers: the layout runs only if it is requested alone.
    const [only] = options.layouts;
    const asked: Layout = options.layouts.length === 1 && only ? only : 'two-cores';
    const layouts = [await measureLayout(asked, options)];
    const goals = layouts.flatMap(({ layout, ratios }) => ratioGoals(ratios, ratioTitle, layout));
    return { text: formatReport(layouts), figures: { layouts }, goals, missed: missedGoals(goals) };
  },
};
