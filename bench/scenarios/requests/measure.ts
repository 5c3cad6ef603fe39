import { cpuTimeUs } from '../../processes/cpu-time.ts';
import type { Layout } from '../../processes/pin.ts';
import { interleave } from '../interleave.ts';
import type { ScenarioOptions } from '../scenario.ts';
import { type RoundFigures, type RowFigures, rowFigures } from '../tap/figures.ts';
import { WARM_UP_MS, WARM_UP_TIMES } from '../warm-up.ts';
import type { RequestBed, RequestRow } from './row.ts';

/** Measures the requests of one row, and the processor time that its server spends on each answer. */
export async function measureRequests<Row extends RequestRow>(
  bed: RequestBed<Row>,
  row: Row,
  measureMs: number,
): Promise<RoundFigures> {
  const { server, target, template } = bed.plan(row);
  const cpuBeforeUs = cpuTimeUs(server.pid) ?? Number.NaN;
  const job = { target, template, mode: row.mode, warmUpMs: WARM_UP_MS, measureMs };
  const figures = await bed.load.run(job).catch((error: Error) => {
    throw new Error(`${row.name}: ${error.message}\n${server.lastWords()}`.trim());
  });
  const cpuAfterUs = cpuTimeUs(server.pid) ?? Number.NaN;
  return { ...figures, serverCpuUs: (cpuAfterUs - cpuBeforeUs) / figures.answersInAll };
}

/** Measures all rows in turns, and always closes the bed at the end. */
export async function measureRows<Row extends RequestRow>(
  layout: Layout,
  bed: RequestBed<Row>,
  rows: readonly Row[],
  { progress, rounds, seconds }: ScenarioOptions,
  measure: (row: Row, measureMs: number) => Promise<RoundFigures> = (row, ms) => measureRequests(bed, row, ms),
): Promise<RowFigures[]> {
  try {
    const found = await interleave(rows, rounds, (row, round) => {
      if (row === rows[0]) progress(`${layout}: ${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`}`);
      return measure(row, seconds * 1_000 * (round === 0 ? WARM_UP_TIMES : 1));
    });
    return rows.map((row, at) => rowFigures(row, found[at] ?? []));
  } finally {
    await bed.close();
  }
}
