import { cpuTimeUs } from '../../processes/cpu-time.ts';
import { missedGoals, ratioGoals } from '../../report/goals.ts';
import { compareRows } from '../../report/ratios.ts';
import { interleave } from '../interleave.ts';
import type { Scenario, ScenarioOptions } from '../scenario.ts';
import { ConnectBed } from './bed.ts';
import { type ConnectFigures, type ConnectRound, connectFigures, sumOf } from './figures.ts';
import { formatReport, ratioTitle } from './report.ts';
import { CONNECT_ROWS, type ConnectRow, isHandshake, needsService, ROW_NAMES } from './rows.ts';
import { CONNECT_COMPARISONS } from './targets.ts';

/** A first picture with its pause and end takes 20 ms, a handshake 1 ms, so rows need different measuring times. */
const TIMES = { handshakes: 2, pictures: 5 } as const;
/** Excluded from the start of each measurement, because of a fresh connection and cold caches. */
const WARM_UP = { handshakes: 50, pictures: 3 } as const;

async function measureRow(bed: ConnectBed, row: ConnectRow, ms: number): Promise<ConnectRound> {
  const pid = bed.server(row)?.pid;
  const cpuUs = () => (pid === undefined ? undefined : cpuTimeUs(pid)) ?? Number.NaN;
  const kind = isHandshake(row) ? 'handshakes' : 'pictures';
  const beforeUs = cpuUs();
  const order = { job: bed.job(row), warmUp: WARM_UP[kind], measureMs: ms * TIMES[kind] };
  const figures = await bed.opening.run(order).catch((error: Error) => {
    throw new Error(`${row.name}: ${error.message}\n${bed.server(row)?.lastWords() ?? ''}`.trim());
  });
  return { ...figures, serverCpuUs: (cpuUs() - beforeUs) / figures.openedInAll };
}

async function measure({ controlsOnly, progress, rounds, seconds }: ScenarioOptions): Promise<ConnectFigures[]> {
  progress('starting the service');
  const bed = await ConnectBed.open(controlsOnly);
  try {
    const rows = CONNECT_ROWS.filter((row) => !(controlsOnly && needsService(row)));
    const found = await interleave(rows, rounds, (row, round) => {
      if (row === rows[0]) progress(round === 0 ? 'warm-up' : `round ${round} of ${rounds}`);
      return measureRow(bed, row, seconds * 1_000 * (round === 0 ? 0.2 : 1));
    });
    return rows.map(({ name }, at) => connectFigures(name, found[at] ?? []));
  } finally {
    await bed.close();
  }
}

/** Measures the time until a client is connected, and until it sees a first picture. */
export const connect: Scenario = {
  name: 'connect',
  summary: 'handshakes and first pictures, beside bare sockets and the encoder alone',
  share: { rounds: 2 },
  async run(options) {
    const measured = await measure(options);
    const parts = [ROW_NAMES.bareAnswer, ROW_NAMES.encoder];
    const rows = [...measured, ...sumOf(ROW_NAMES.bareFirst, measured, parts)];
    const ratios = compareRows(rows, CONNECT_COMPARISONS);
    const goals = ratioGoals(ratios, ratioTitle);
    return { text: formatReport(rows, ratios), figures: { rows, ratios }, goals, missed: missedGoals(goals) };
  },
};
