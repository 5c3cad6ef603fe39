import type { PhotonFigures } from '../../photon/job.ts';
import { percentile } from '../../report/percentiles.ts';
import type { Part, PartFigures } from './stages.ts';

/** One row, over the taps of all rounds. */
export interface RowFigures {
  readonly name: string;
  readonly taps: number;
  readonly leastMs: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly pixelsP50Ms: number;
  readonly captureP50Ms: number;
  /** What the device takes of it, and what the service and the ways to and from it add; `NaN` where nobody tells. */
  readonly deviceP50Ms: number;
  readonly serviceP50Ms: number;
  readonly pictureBytes: number;
  readonly stillBytesPerSecond: number;
}

/** Pools the taps of all rounds. A tap takes tens of milliseconds, so one round has too few for the highest percentiles. */
export function rowFigures(
  name: string,
  rounds: readonly PhotonFigures[],
  parts: readonly PartFigures[] = [],
): RowFigures {
  const sorted = (of: (round: PhotonFigures) => readonly number[]) => Float64Array.from(rounds.flatMap(of)).sort();
  const partMs = (of: Part) => parts.find(({ row, part }) => row === name && part === of)?.p50Ms ?? Number.NaN;
  const photonMs = sorted((round) => round.photonMs);
  return {
    name,
    taps: photonMs.length,
    leastMs: percentile(photonMs, 0),
    p50Ms: percentile(photonMs, 0.5),
    p95Ms: percentile(photonMs, 0.95),
    p99Ms: percentile(photonMs, 0.99),
    pixelsP50Ms: percentile(
      sorted((round) => round.pixelsMs),
      0.5,
    ),
    captureP50Ms: percentile(
      sorted((round) => round.captureMs),
      0.5,
    ),
    deviceP50Ms: partMs('device'),
    serviceP50Ms: partMs('service'),
    pictureBytes: percentile(
      sorted((round) => round.pictureBytes),
      0.5,
    ),
    stillBytesPerSecond: Math.max(0, ...rounds.map((round) => round.stillBytesPerSecond)),
  };
}
