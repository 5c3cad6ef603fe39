import { cpuTimeUs } from '../../processes/cpu-time.ts';
import type { Layout } from '../../processes/pin.ts';
import { missedGoals, ratioGoals } from '../../report/goals.ts';
import { compareRows } from '../../report/ratios.ts';
import { interleave } from '../interleave.ts';
import type { Scenario, ScenarioOptions } from '../scenario.ts';
import { TapBed } from './bed.ts';
import { type RoundFigures, rowFigures } from './figures.ts';
import { formatReport, type LayoutFigures, ratioTitle } from './report.ts';
import { isService, TAP_ROWS, type TapRow } from './rows.ts';
import { tapComparisons } from './targets.ts';

/** Excluded from the start of each measurement, because of a fresh connection and cold caches. */
const WARM_UP_MS = 80;
/** Paced rows get fewer answers in the same time, so they are measured for longer to have enough samples for a p99. */
const PACED_TIMES = 3;

async function measureRow(bed: TapBed, row: TapRow, measureMs: number): Promise<RoundFigures> {
  const { server, target } = bed.target(row);
  const template = bed.requests(row);
  const cpuBeforeUs = cpuTimeUs(server.pid) ?? Number.NaN;
  const job = { target, template, mode: row.mode, warmUpMs: WARM_UP_MS, measureMs };
  const figures = await bed.load.run(job).catch((error: Error) => {
    throw new Error(`${row.name}: ${error.message}\n${server.lastWords()}`.trim());
  });
  const cpuAfterUs = cpuTimeUs(server.pid) ?? Number.NaN;
  return { ...figures, serverCpuUs: (cpuAfterUs - cpuBeforeUs) / figures.answersInAll };
}

async function measureLayout(layout: Layout, options: ScenarioOptions): Promise<LayoutFigures> {
  const { controlsOnly, progress, rounds, seconds } = options;
  progress(`${layout}: starting servers`);
  const bed = await TapBed.open(layout, controlsOnly);
  try {
    const titles = TAP_ROWS.filter(({ server }) => !(controlsOnly && isService(server)));
    const found = await interleave(titles, rounds, (row, round) => {
      if (row === titles[0]) progress(`${layout}: ${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`}`);
      const times = row.mode.kind === 'open' ? PACED_TIMES : 1;
      return measureRow(bed, row, seconds * 1_000 * times * (round === 0 ? 0.5 : 1));
    });
    const rows = titles.map((title, at) => rowFigures(title, found[at] ?? []));
    return { layout, rows, ratios: compareRows(rows, tapComparisons(layout)) };
  } finally {
    await bed.close();
  }
}

/** Measures latency and throughput of tap acknowledgements over the control socket and REST, beside bare parts. */
export const tap: Scenario = {
  name: 'tap',
  summary: 'tap acknowledgement over the control socket and REST, beside bare echoes and routes',
  async run(options) {
    const layouts: LayoutFigures[] = [];
    for (const layout of options.layouts) layouts.push(await measureLayout(layout, options));
    const goals = layouts.flatMap(({ layout, ratios }) => ratioGoals(ratios, ratioTitle, layout));
    return { text: formatReport(layouts), figures: { layouts }, goals, missed: missedGoals(goals) };
  },
};
