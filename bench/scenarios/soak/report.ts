import { type Column, formatFigure, formatTable } from '../../report/table.ts';
import { type FigureTrend, type SoakSample, TOLERANCE, type WatchedFigure } from './figures.ts';

const SAMPLE_COLUMNS: readonly Column<SoakSample>[] = [
  { title: 'minute', text: ({ minute }) => minute.toFixed(1) },
  { title: 'RSS MB', text: ({ rssMegabytes }) => formatFigure(rssMegabytes) },
  { title: 'heap MB', text: ({ mainHeapMegabytes }) => formatFigure(mainHeapMegabytes) },
  { title: 'hosts’ heap', text: ({ threadHeapMegabytes }) => formatFigure(threadHeapMegabytes) },
  { title: 'handles', text: ({ handles }) => String(handles) },
  { title: 'files', text: ({ files }) => String(files) },
  { title: 'children', text: ({ children }) => String(children) },
  { title: 'threads', text: ({ threads }) => String(threads) },
  { title: 'tap p50 µs', text: ({ tapP50Us }) => formatFigure(tapP50Us) },
  { title: 'p99 µs', text: ({ tapP99Us }) => formatFigure(tapP99Us) },
  { title: 'delay p50 ms', text: ({ delayP50Ms }) => formatFigure(delayP50Ms) },
  { title: 'p99', text: ({ delayP99Ms }) => formatFigure(delayP99Ms) },
  { title: 'pictures/s each', text: ({ perViewer }) => formatFigure(perViewer) },
  { title: 'stop to ready ms', text: ({ readyMs }) => formatFigure(readyMs) },
];

export const FIGURE_TITLE: Record<WatchedFigure, string> = {
  rssMegabytes: 'resident memory',
  mainHeapMegabytes: 'heap of the gateway',
  threadHeapMegabytes: 'heaps of the hosts',
  handles: 'handles',
  files: 'open files',
  children: 'child processes',
  threads: 'threads',
  tapP50Us: 'tap p50',
  tapP99Us: 'tap p99',
  delayP50Ms: 'delay of pictures, p50',
  delayP99Ms: 'delay of pictures, p99',
  readyMs: 'stop to ready',
};

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

const TREND_COLUMNS: readonly Column<FigureTrend>[] = [
  { title: 'over the judged part', text: ({ figure }) => FIGURE_TITLE[figure] },
  { title: 'growth', text: ({ growth }) => percent(growth) },
  { title: 'at most', text: ({ figure }) => percent(TOLERANCE[figure]) },
  { title: 'deviations', text: ({ deviations }) => deviations.toFixed(1) },
  { title: '', text: ({ rising }) => (rising ? 'RISES' : 'flat') },
];

const METHOD = `Memory after a collection in every thread, at rest: no viewers, no recordings. The first third of the samples is not judged.
A figure rises when its growth passes the bound and is more than chance gives (3.1 deviations). bench/README.md says more.`;

/** One line for each sample, printed during the run. */
export const sampleLine = (sample: SoakSample): string =>
  SAMPLE_COLUMNS.map(({ title, text }) => `${title} ${text(sample)}`).join(', ');

export function formatReport(samples: readonly SoakSample[], trends: readonly FigureTrend[]): string {
  return [formatTable(SAMPLE_COLUMNS, samples), formatTable(TREND_COLUMNS, trends), METHOD].join('\n\n');
}
