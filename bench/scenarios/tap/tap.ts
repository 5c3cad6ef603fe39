import { cpuTimeUs } from '../../processes/cpu-time.ts';
import type { LoadProcess } from '../../processes/load-process.ts';
import type { Layout } from '../../processes/pin.ts';
import { missedGoals, ratioGoals } from '../../report/goals.ts';
import { compareRows } from '../../report/ratios.ts';
import type { Pair } from '../../report/side-by-side.ts';
import { interleave } from '../interleave.ts';
import type { Scenario, ScenarioOptions } from '../scenario.ts';
import { WARM_UP_MS, WARM_UP_TIMES } from '../warm-up.ts';
import { TapBed } from './bed.ts';
import { type RoundFigures, type RowFigures, rowFigures } from './figures.ts';
import { formatReport, type LayoutFigures, ratioTitle } from './report.ts';
import { isService, TAP_ROWS, type TapRow } from './rows.ts';
import { tapComparisons } from './targets.ts';

/** The same of each further connection: what opening a thousand costs is measured by `connect`. */
const WARM_UP_MS_OF_CONNECTION = 1;
/** Paced rows get fewer answers in the same time, so they are measured for longer to have enough samples for a p99. */
const PACED_TIMES = 3;
/** Rounds of this checkout and of another one between two starts of the servers: no two processes are equally fast. */
const ROUNDS_OF_START = 6;

async function measureRow(
  bed: TapBed,
  row: TapRow,
  measureMs: number,
  load: LoadProcess = bed.load,
): Promise<RoundFigures> {
  const { server, target } = bed.target(row);
  const template = bed.requests(row);
  const cpuBeforeUs = cpuTimeUs(server.pid) ?? Number.NaN;
  const connections = row.mode.kind === 'closed' ? row.mode.connections : 1;
  const warmUpMs = WARM_UP_MS + (connections - 1) * WARM_UP_MS_OF_CONNECTION;
  const job = { target, template, mode: row.mode, warmUpMs, measureMs };
  const figures = await load.run(job).catch((error: Error) => {
    throw new Error(`${row.name}: ${error.message}\n${server.lastWords()}`.trim());
  });
  const cpuAfterUs = cpuTimeUs(server.pid) ?? Number.NaN;
  return { ...figures, serverCpuUs: (cpuAfterUs - cpuBeforeUs) / figures.answersInAll };
}

const rowsOf = ({ controlsOnly }: ScenarioOptions): readonly TapRow[] =>
  TAP_ROWS.filter(({ server }) => !(controlsOnly && isService(server)));

async function measureLayout(layout: Layout, options: ScenarioOptions): Promise<LayoutFigures> {
  const { controlsOnly, progress, rounds, seconds } = options;
  progress(`${layout}: starting servers`);
  const bed = await TapBed.open(layout, { controlsOnly });
  try {
    const titles = rowsOf(options);
    const found = await interleave(titles, rounds, (row, round) => {
      if (row === titles[0]) progress(`${layout}: ${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`}`);
      const times = row.mode.kind === 'open' ? PACED_TIMES : 1;
      return measureRow(bed, row, seconds * 1_000 * times * (round === 0 ? WARM_UP_TIMES : 1));
    });
    const rows = titles.map((title, at) => rowFigures(title, found[at] ?? []));
    return { layout, rows, ratios: compareRows(rows, tapComparisons(layout)) };
  } finally {
    await bed.close();
  }
}

/**
 * Measures this checkout and another one in turns of a row each: both run all the time, and one load process drives them, so
 * that whatever slows the machine slows both. A control is the same program on both sides: its ratio is the noise.
 */
async function* measurePairs(otherRoot: string, layout: Layout, options: ScenarioOptions): AsyncGenerator<Pair> {
  const { controlsOnly, progress, rounds, seconds } = options;
  const titles = rowsOf(options);
  for (let done = 0; done < rounds; done += ROUNDS_OF_START) {
    const until = Math.min(rounds, done + ROUNDS_OF_START);
    progress(`${layout}: rounds ${done + 1} to ${until} of ${rounds}: starting servers of both`);
    const beds: TapBed[] = [];
    try {
      const here = await TapBed.open(layout, { controlsOnly });
      beds.push(here);
      const there = await TapBed.open(layout, { controlsOnly, root: otherRoot });
      beds.push(there);
      // The round before the first one warms both up.
      for (let round = done; round <= until; round++) {
        const sides = round % 2 === 0 ? (['here', 'there'] as const) : (['there', 'here'] as const);
        const found: Record<'here' | 'there', RowFigures[]> = { here: [], there: [] };
        for (const row of titles) {
          const measureMs = seconds * 1_000 * (row.mode.kind === 'open' ? PACED_TIMES : 1);
          for (const side of sides) {
            const figures = await measureRow(side === 'here' ? here : there, row, measureMs, here.load);
            found[side].push(rowFigures(row, [figures]));
          }
        }
        if (round > done) yield { here: { layout, rows: found.here }, there: { layout, rows: found.there } };
      }
    } finally {
      await Promise.all(beds.map((bed) => bed.close()));
    }
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
  async pairs(otherRoot, options) {
    const pairs: Pair[] = [];
    for (const layout of options.layouts) {
      for await (const pair of measurePairs(otherRoot, layout, options)) pairs.push(pair);
    }
    return pairs;
  },
};
