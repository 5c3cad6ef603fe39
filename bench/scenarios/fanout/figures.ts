import { median } from '../../report/percentiles.ts';
import type { CrowdFigures } from '../../viewers/job.ts';
import type { FanOutRow } from './rows.ts';

/** Resources that the server used while a crowd was measured; `NaN` if the system does not report them. */
export interface ServerUse {
  /** Processor time of the socket thread, and of all threads. */
  readonly mainCpuUs: number;
  readonly cpuUs: number;
  /** Delay of a timer in the socket thread, whose event loop was blocked for so long. */
  readonly heldP99Ms: number;
  readonly heldMaxMs: number;
}

/** The figures of one row: medians over its rounds, but the maximum of the longest blocking. */
export interface FanOutFigures extends FanOutRow {
  /** Pictures per second of one viewer. */
  readonly perViewer: number;
  readonly kilobytesPerSecond: number;
  /** Processor time of the socket thread per packet, and per second and viewer. */
  readonly packetCpuUs: number;
  readonly viewerCpuMs: number;
  /** Cores that the whole server used. */
  readonly serverCores: number;
  readonly delayP50Ms: number;
  readonly delayP99Ms: number;
  readonly heldP99Ms: number;
  readonly heldMaxMs: number;
  /** Share of a core that the viewers used. Near 1, the viewers and not the server limit the number of pictures. */
  readonly crowdCore: number;
}

export interface FanOutRound {
  readonly seen: CrowdFigures;
  readonly use: ServerUse;
}

export function fanOutFigures(row: FanOutRow, rounds: readonly FanOutRound[]): FanOutFigures {
  const over = (figure: (round: FanOutRound) => number) => median(rounds.map(figure));
  return {
    ...row,
    perViewer: over(({ seen }) => seen.packets / seen.viewers / seen.seconds),
    kilobytesPerSecond: over(({ seen }) => seen.bytes / seen.seconds / 1_000),
    packetCpuUs: over(({ seen, use }) => use.mainCpuUs / seen.packets),
    viewerCpuMs: over(({ seen, use }) => use.mainCpuUs / 1_000 / seen.seconds / seen.viewers),
    serverCores: over(({ seen, use }) => use.cpuUs / 1e6 / seen.seconds),
    delayP50Ms: over(({ seen }) => seen.delay.p50Us / 1_000),
    delayP99Ms: over(({ seen }) => seen.delay.p99Us / 1_000),
    heldP99Ms: over(({ use }) => use.heldP99Ms),
    heldMaxMs: Math.max(...rounds.map(({ use }) => use.heldMaxMs)),
    crowdCore: over(({ seen }) => seen.coreShare),
  };
}
