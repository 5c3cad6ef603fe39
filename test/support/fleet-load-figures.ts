import { median } from '../../bench/report/percentiles.ts';
import { type Column, formatFigure, formatTable } from '../../bench/report/table.ts';
import type { FleetSample } from './fleet-load.ts';

/** A figure of the last third of the samples by that of the first: medians, which one sample of three does not change. */
export interface FleetRatio {
  readonly name: string;
  readonly ratio: number;
  readonly max: number;
}

interface Watched {
  readonly name: string;
  readonly of: (sample: FleetSample) => number;
  readonly max: number;
}

/** Outcomes are kept for ten minutes, and heaps grow with what they hold before they are collected. */
const MEMORY_MAX = 1.25;
const P50_MAX = 1.5;
const P99_MAX = 2;

const watchedOf = ({ edgesMegabytes, hostsMegabytes }: FleetSample): readonly Watched[] => [
  { name: 'tap p50', of: ({ tapP50Ms }) => tapP50Ms, max: P50_MAX },
  { name: 'tap p99', of: ({ tapP99Ms }) => tapP99Ms, max: P99_MAX },
  { name: 'time between taps', of: ({ tapsPerSecond }) => 1 / tapsPerSecond, max: P50_MAX },
  { name: 'picture p50', of: ({ pictureP50Ms }) => pictureP50Ms, max: P50_MAX },
  { name: 'picture p99', of: ({ pictureP99Ms }) => pictureP99Ms, max: P99_MAX },
  { name: 'time between pictures', of: ({ picturesPerSecond }) => 1 / picturesPerSecond, max: P50_MAX },
  ...memoryOf('edge', edgesMegabytes.length, (sample) => sample.edgesMegabytes),
  ...memoryOf('host', hostsMegabytes.length, (sample) => sample.hostsMegabytes),
  { name: 'memory of NATS', of: ({ natsMegabytes }) => natsMegabytes, max: MEMORY_MAX },
];

const memoryOf = (name: string, count: number, of: (sample: FleetSample) => readonly number[]): readonly Watched[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `memory of ${name} ${index + 1}`,
    of: (sample) => of(sample)[index] ?? Number.NaN,
    max: MEMORY_MAX,
  }));

/** @param samples three at least, of which no process was killed */
export function fleetRatios(samples: readonly FleetSample[]): readonly FleetRatio[] {
  const [first] = samples;
  if (!first) return [];
  const third = Math.floor(samples.length / 3);
  return watchedOf(first).map(({ name, of, max }) => ({
    name,
    ratio: median(samples.slice(-third).map(of)) / median(samples.slice(0, third).map(of)),
    max,
  }));
}

/** Those that are not flat; a figure that could not be measured is not. */
export const risenRatios = (ratios: readonly FleetRatio[]): readonly FleetRatio[] =>
  ratios.filter(({ ratio, max }) => !(ratio <= max));

const range = (values: readonly number[]): string =>
  values.length === 1
    ? formatFigure(values[0])
    : `${formatFigure(Math.min(...values))}–${formatFigure(Math.max(...values))}`;

const SAMPLE_COLUMNS: readonly Column<FleetSample>[] = [
  { title: 'minute', text: ({ endMs }) => (endMs / 60_000).toFixed(1) },
  { title: 'taps/s', text: ({ tapsPerSecond }) => formatFigure(tapsPerSecond) },
  { title: 'tap p50 ms', text: ({ tapP50Ms }) => formatFigure(tapP50Ms) },
  { title: 'p99', text: ({ tapP99Ms }) => formatFigure(tapP99Ms) },
  { title: 'pictures/s each', text: ({ picturesPerSecond }) => formatFigure(picturesPerSecond) },
  { title: 'picture p50 ms', text: ({ pictureP50Ms }) => formatFigure(pictureP50Ms) },
  { title: 'p99', text: ({ pictureP99Ms }) => formatFigure(pictureP99Ms) },
  { title: 'MB of an edge', text: ({ edgesMegabytes }) => range(edgesMegabytes) },
  { title: 'of a host', text: ({ hostsMegabytes }) => range(hostsMegabytes) },
  { title: 'of NATS', text: ({ natsMegabytes }) => formatFigure(natsMegabytes) },
  { title: 'cores of edges', text: ({ edgesCores }) => formatFigure(edgesCores) },
  { title: 'hosts', text: ({ hostsCores }) => formatFigure(hostsCores) },
  { title: 'NATS', text: ({ natsCores }) => formatFigure(natsCores) },
  { title: 'load', text: ({ loadCores }) => formatFigure(loadCores) },
];

const RATIO_COLUMNS: readonly Column<FleetRatio>[] = [
  { title: 'last third / first third', text: ({ name }) => name },
  { title: 'ratio', text: ({ ratio }) => formatFigure(ratio) },
  { title: 'at most', text: ({ max }) => formatFigure(max) },
  { title: '', text: (ratio) => (risenRatios([ratio]).length > 0 ? 'RISES' : 'flat'), words: true },
];

/** One line, during a run. */
export const fleetSampleLine = (sample: FleetSample): string =>
  SAMPLE_COLUMNS.map(({ title, text }) => `${title} ${text(sample)}`).join(', ');

export const formatFleetSamples = (samples: readonly FleetSample[]): string => formatTable(SAMPLE_COLUMNS, samples);

export const formatFleetRatios = (ratios: readonly FleetRatio[]): string => formatTable(RATIO_COLUMNS, ratios);
