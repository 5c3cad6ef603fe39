import type { DragFigures } from '../../load/job.ts';
import { median } from '../../report/percentiles.ts';

export interface DragRound extends DragFigures {
  /** Processor time of all threads of the server for each step, including drawing and encoding. */
  readonly serverCpuUs: number;
}

/** The figures of one row: medians over its rounds, and the total number of replaced moves. */
export interface DragRowFigures {
  readonly name: string;
  readonly p50Us: number;
  readonly p99Us: number;
  readonly jitterP50Us: number;
  readonly jitterP99Us: number;
  readonly takenP50Us: number;
  readonly takenP99Us: number;
  readonly replaced: number;
  readonly serverCpuUs: number;
}

export function dragFigures(name: string, rounds: readonly DragRound[]): DragRowFigures {
  const over = (figure: keyof DragRound) => median(rounds.map((round) => round[figure]));
  return {
    name,
    p50Us: over('p50Us'),
    p99Us: over('p99Us'),
    jitterP50Us: over('jitterP50Us'),
    jitterP99Us: over('jitterP99Us'),
    takenP50Us: over('takenP50Us'),
    takenP99Us: over('takenP99Us'),
    replaced: rounds.reduce((sum, { replaced }) => sum + replaced, 0),
    serverCpuUs: over('serverCpuUs'),
  };
}
