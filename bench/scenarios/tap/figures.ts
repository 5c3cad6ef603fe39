import type { LoadFigures } from '../../load/job.ts';
import { median } from '../../report/percentiles.ts';

/** The measured values of one row in one round. */
export interface RoundFigures extends LoadFigures {
  /** Processor time of all threads of the server per answer; `NaN` if the system does not report it. */
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
  /** Share of one core. Near 1, the client and not the server may limit the throughput. */
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
