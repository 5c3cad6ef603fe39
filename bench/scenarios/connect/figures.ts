import type { OpeningFigures } from '../../opening/job.ts';
import { median, percentile } from '../../report/percentiles.ts';

export interface ConnectRound extends OpeningFigures {
  /** Processor time of the server, all its threads, for each opening; `NaN` where there is none. */
  readonly serverCpuUs: number;
}

/** One row: percentiles over the openings of all rounds, medians of what is counted. */
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

/** A row that is the sum of two others: what the parts take when nothing lies between them. */
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
