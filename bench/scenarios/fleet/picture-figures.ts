import { median } from '../../report/percentiles.ts';
import type { CrowdFigures } from '../../viewers/job.ts';
import type { PictureRow } from './picture-rows.ts';

/** What one row's viewers saw in one round, and the processor time of the threads behind it; `NaN` if it is not known. */
export interface PictureRound {
  readonly seen: CrowdFigures;
  /** The thread of the viewers' sockets. */
  readonly socketCpuUs: number;
  /** The thread on the other side of NATS. */
  readonly senderCpuUs: number;
}

/** The figures of one row: medians over its rounds. */
export interface PictureFigures extends PictureRow {
  readonly kilobytes: number;
  /** From hand-over to arrival. */
  readonly p50Us: number;
  readonly p99Us: number;
  /** Pictures per second of one viewer. */
  readonly perViewer: number;
  /** Processor time of the socket thread for each packet to a viewer, and of the sending thread for each picture. */
  readonly packetCpuUs: number;
  readonly senderCpuUs: number;
  /** Share of a core that the viewers used. */
  readonly crowdCore: number;
}

export function pictureFigures(row: PictureRow, rounds: readonly PictureRound[]): PictureFigures {
  const over = (figure: (round: PictureRound) => number) => median(rounds.map(figure));
  return {
    ...row,
    kilobytes: over(({ seen }) => seen.bytes / seen.packets / 1_000),
    p50Us: over(({ seen }) => seen.delay.p50Us),
    p99Us: over(({ seen }) => seen.delay.p99Us),
    perViewer: over(({ seen }) => seen.packets / seen.viewers / seen.seconds),
    packetCpuUs: over(({ seen, socketCpuUs }) => socketCpuUs / seen.packets),
    senderCpuUs: over(({ seen, senderCpuUs }) => (senderCpuUs * seen.viewers) / seen.packets),
    crowdCore: over(({ seen }) => seen.coreShare),
  };
}
