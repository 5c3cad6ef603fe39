import type { LoadFigures } from '../../load/job.ts';
import { median } from '../../report/percentiles.ts';

/** What one row measured in one round. */
export interface RoundFigures extends LoadFigures {
  /** Processor time of the server for each answer, all its threads; `NaN` where the system does not tell. */
  readonly serverCpuUs: number;
}

/** The figures of one row: medians over its rounds. */
export interface RowFigures {
  readonly name: string;
  readonly subject: string;
  readonly load: string;
  readonly p50Us: number;
  readonly p99Us: number;
  readonly p999Us: number;
  readonly perSecond: number;
  readonly serverCpuUs: number;
  /** Share of one core; near 1 the client, not the server, may be what bounds the throughput. */
  readonly loadCoreShare: number;
}

type RowTitle = Pick<RowFigures, 'name' | 'subject' | 'load'>;

export function rowFigures({ name, subject, load }: RowTitle, rounds: readonly RoundFigures[]): RowFigures {
  const over = (figure: keyof RoundFigures) => median(rounds.map((round) => round[figure]));
  return {
    name,
    subject,
    load,
    p50Us: over('p50Us'),
    p99Us: over('p99Us'),
    p999Us: over('p999Us'),
    perSecond: over('perSecond'),
    serverCpuUs: over('serverCpuUs'),
    loadCoreShare: over('loadCoreShare'),
  };
}
