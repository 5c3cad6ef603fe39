import type { LoadFigures } from '../../load/job.ts';
import { median } from '../../report/percentiles.ts';
import type { MixedRound } from './service-bed.ts';

/** One row: medians over its rounds. Figures that only the row with everything at once has are `NaN` in the others. */
export interface MixedFigures {
  readonly name: string;
  readonly tapP50Us: number;
  readonly tapP99Us: number;
  readonly tapP999Us: number;
  readonly tapsPerSecond: number;
  readonly delayP50Ms: number;
  readonly delayP99Ms: number;
  /** Pictures per second of one viewer, as the mean over all sessions. */
  readonly perViewer: number;
  readonly serverCores: number;
  /** Maximum over the recordings of a round. */
  readonly readyMs: number;
}

export type MixedRowRound = { readonly taps: LoadFigures } & Partial<MixedRound>;

export function mixedFigures(name: string, rounds: readonly MixedRowRound[]): MixedFigures {
  const over = (figure: (round: MixedRowRound) => number) => median(rounds.map(figure));
  const seen = (figure: (round: MixedRound) => number) =>
    over((round) => (round.seen && round.cpuUs && round.readyMs ? figure(round as MixedRound) : Number.NaN));
  return {
    name,
    tapP50Us: over(({ taps }) => taps.p50Us),
    tapP99Us: over(({ taps }) => taps.p99Us),
    tapP999Us: over(({ taps }) => taps.p999Us),
    tapsPerSecond: over(({ taps }) => taps.perSecond),
    delayP50Ms: seen((round) => round.seen.delay.p50Us / 1_000),
    delayP99Ms: seen((round) => round.seen.delay.p99Us / 1_000),
    perViewer: seen((round) => round.seen.packets / round.seen.viewers / round.seen.seconds),
    serverCores: seen(({ cpuUs, seen: { seconds } }) => cpuUs / 1e6 / seconds),
    readyMs: seen(({ readyMs }) => Math.max(...readyMs)),
  };
}
