import type { OpeningFigures } from '../../opening/job.ts';
import { median, percentile } from '../../report/percentiles.ts';

export interface ConnectRound extends OpeningFigures {
  /** Processor time of all threads of the server for each opening; `NaN` if there is no server. */
  readonly serverCpuUs: number;
}

/** One row: percentiles over the openings of all rounds, and medians of the counts. */
export interface ConnectFigures {
  readonly name: string;
  readonly opened: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly perSecond: number;
  readonly serverCpuUs: number;
}

export function connectFigures(name: string, rounds: readonly ConnectRound[]): ConnectFigures {
  const tookMs = Float64Array.from(rounds.flatMap((round) => round.tookMs)).sort();
  return {
    name,
    opened: tookMs.length,
    p50Ms: percentile(tookMs, 0.5),
    p99Ms: percentile(tookMs, 0.99),
    perSecond: median(rounds.map((round) => round.tookMs.length / round.seconds)),
    serverCpuUs: median(rounds.map(({ serverCpuUs }) => serverCpuUs)),
  };
}

/** A row that is the sum of others: the time of the parts with nothing in between. */
export function sumOf(name: string, rows: readonly ConnectFigures[], parts: readonly string[]): ConnectFigures[] {
  const found = rows.filter((row) => parts.includes(row.name));
  if (found.length < parts.length) return [];
  const sum = (of: (row: ConnectFigures) => number) => found.reduce((total, row) => total + of(row), 0);
  return [
    {
      name,
      opened: Math.min(...found.map(({ opened }) => opened)),
      p50Ms: sum(({ p50Ms }) => p50Ms),
      p99Ms: sum(({ p99Ms }) => p99Ms),
      perSecond: Number.NaN,
      serverCpuUs: Number.NaN,
    },
  ];
}
