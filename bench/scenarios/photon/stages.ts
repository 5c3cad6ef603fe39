import { STAGES, type Stage } from '../../../server/link/stages.ts';
import type { TapWay } from '../../photon/job.ts';
import type { StageMark } from '../../processes/stage-watch.ts';
import { percentile } from '../../report/percentiles.ts';
import { type Column, formatFigure, formatTable } from '../../report/table.ts';

/** A tap counts as slow above this percentile of its row. */
const SLOW = 0.95;

/** The parts of a tap's way: each ends with the stage of its name, and begins where the one before ends. */
export const PARTS = [...STAGES, 'arrived'] as const;
/** The whole way in two: what the device takes, and what the service and the ways to and from it add. */
export const SIDES = ['device', 'service'] as const;
export type Part = (typeof PARTS)[number] | (typeof SIDES)[number];

/** What the device does by itself, whichever service it is connected to. */
const OF_DEVICE: ReadonlySet<Part> = new Set(['captured']);

const MEANING: Readonly<Record<Part, string>> = {
  dispatched: 'to the service, until it leaves the gateway',
  taken: 'to the device, which has taken it',
  captureBegan: 'until a capture begins',
  captured: 'drawing',
  encoded: 'encoding',
  handedOver: 'to the gateway',
  arrived: 'to the client',
  device: 'all of the device',
  service: 'all that the service adds',
};

/** One part of the way, over the taps of a row. */
export interface PartFigures {
  readonly row: string;
  readonly part: Part;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** By how much longer its mean is for slow taps than for the others. */
  readonly slowMoreMs: number;
}

/** Milliseconds of each part of one tap's way; `undefined` where the service has noted a stage of it nowhere. */
function partsOf({ inputSeq, sentMs, arrivedMs }: TapWay, marks: ReadonlyMap<string, number>): number[] | undefined {
  const times: number[] = [sentMs];
  for (const stage of STAGES) {
    const atMs = marks.get(nameOf(stage, inputSeq));
    if (atMs === undefined) return undefined;
    times.push(atMs);
  }
  times.push(arrivedMs);
  return times.slice(1).map((atMs, at) => atMs - (times[at] as number));
}

const nameOf = (stage: Stage, inputSeq: number): string => `${stage} ${inputSeq}`;

/** Where the time of a row's taps goes. A picture that is sent again counts as it comes first. */
export function partFigures(row: string, ways: readonly TapWay[], noted: readonly StageMark[]): readonly PartFigures[] {
  const marks = new Map<string, number>();
  for (const { stage, inputSeq, atMs } of noted) {
    const name = nameOf(stage, inputSeq);
    marks.set(name, Math.min(atMs, marks.get(name) ?? atMs));
  }
  const taps = ways.flatMap((way) => {
    const parts = partsOf(way, marks);
    if (!parts) return [];
    const wholeMs = way.arrivedMs - way.sentMs;
    const deviceMs = parts.reduce((sum, ms, at) => (OF_DEVICE.has(PARTS[at] as Part) ? sum + ms : sum), 0);
    return [{ parts: [...parts, deviceMs, wholeMs - deviceMs], wholeMs }];
  });
  const slowMs = percentile(Float64Array.from(taps, ({ wholeMs }) => wholeMs).sort(), SLOW);
  const meanOf = (part: number, isSlow: boolean): number => {
    const those = taps.filter(({ wholeMs }) => wholeMs > slowMs === isSlow);
    return those.reduce((sum, { parts }) => sum + (parts[part] as number), 0) / those.length;
  };
  return [...PARTS, ...SIDES].map((part, at) => {
    const sorted = Float64Array.from(taps, ({ parts }) => parts[at] as number).sort();
    return {
      row,
      part,
      p50Ms: percentile(sorted, 0.5),
      p95Ms: percentile(sorted, 0.95),
      p99Ms: percentile(sorted, 0.99),
      slowMoreMs: meanOf(at, true) - meanOf(at, false),
    };
  });
}

const COLUMNS: readonly Column<PartFigures>[] = [
  { title: 'seen by', text: ({ row }) => row },
  { title: 'part of the way', text: ({ part }) => MEANING[part], words: true },
  { title: 'p50 ms', text: ({ p50Ms }) => formatFigure(p50Ms) },
  { title: 'p95 ms', text: ({ p95Ms }) => formatFigure(p95Ms) },
  { title: 'p99 ms', text: ({ p99Ms }) => formatFigure(p99Ms) },
  { title: 'more in slow taps', text: ({ slowMoreMs }) => formatFigure(slowMoreMs) },
];

export const formatParts = (figures: readonly PartFigures[]): string => `${formatTable(COLUMNS, figures)}

Slow taps are the slowest twentieth of a row: the last column is by how much longer each part takes them on average.`;
