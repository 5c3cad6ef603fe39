import type { LoadFigures } from '../../load/job.ts';
import type { LoopHeld } from '../../processes/loop-held.ts';
import { median } from '../../report/percentiles.ts';
import type { CrowdFigures } from '../../viewers/job.ts';

/** The measured values of one row in one round. */
export interface CrowdedRound {
  readonly taps: LoadFigures;
  /** How long the event loop of the service's socket thread was blocked. */
  readonly held: LoopHeld;
  /** Number of encodings for viewers, and processor time of all threads of the server. */
  readonly encodings: number;
  readonly cpuUs: number;
  readonly seconds: number;
  /** Packets and bytes that the crowd received, if it watched the session. */
  readonly seen?: CrowdFigures;
}

/** The figures of one row: medians over its rounds. */
export interface CrowdedFigures {
  readonly name: string;
  readonly tapP50Us: number;
  readonly tapP99Us: number;
  readonly heldP99Ms: number;
  /** `NaN` if the crowd did not watch the session. */
  readonly perViewer: number;
  readonly encodingsPerPicture: number;
  readonly serverCores: number;
}

export function crowdedFigures(name: string, rounds: readonly CrowdedRound[]): CrowdedFigures {
  const over = (figure: (round: CrowdedRound) => number) => median(rounds.map(figure));
  const ofViewers = (figure: (seen: CrowdFigures, round: CrowdedRound) => number) =>
    over((round) => (round.seen ? figure(round.seen, round) : Number.NaN));
  return {
    name,
    tapP50Us: over(({ taps }) => taps.p50Us),
    tapP99Us: over(({ taps }) => taps.p99Us),
    heldP99Ms: over(({ held }) => held.p99Ms),
    perViewer: ofViewers(({ packets, viewers, seconds }) => packets / viewers / seconds),
    encodingsPerPicture: ofViewers(({ pictures }, { encodings }) => encodings / pictures),
    serverCores: over(({ cpuUs, seconds }) => cpuUs / 1e6 / seconds),
  };
}
