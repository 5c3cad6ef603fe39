import type { Layout } from '../../processes/pin.ts';
import type { Ratio } from '../../report/ratios.ts';
import { type Column, formatFigure, formatTable } from '../../report/table.ts';
import type { RowFigures } from './figures.ts';
import type { TapFigure } from './targets.ts';

/** The measured figures of one layout. */
export interface LayoutFigures {
  readonly layout: Layout;
  readonly rows: readonly RowFigures[];
  readonly ratios: readonly Ratio<TapFigure>[];
}

const LAYOUT_TITLE: Record<Layout, string> = {
  'one-core': 'one core: server and load share it, nothing sleeps in between',
  'two-cores': 'two cores: one for the server, one for the load; each wakes the other',
};

const FIGURE_TITLE: Record<TapFigure, string> = {
  p50Us: 'p50',
  p99Us: 'p99',
  p999Us: 'p99.9',
  perSecond: 'taps/s',
  serverCpuUs: 'server CPU',
  loadCoreShare: 'load core',
};

const ROW_COLUMNS: readonly Column<RowFigures>[] = [
  { title: 'tap', text: ({ subject }) => subject },
  { title: 'load', text: ({ load }) => load },
  { title: 'p50 µs', text: ({ p50Us }) => formatFigure(p50Us) },
  { title: 'p99 µs', text: ({ p99Us }) => formatFigure(p99Us) },
  { title: 'p99.9 µs', text: ({ p999Us }) => formatFigure(p999Us) },
  { title: 'taps/s', text: ({ perSecond }) => formatFigure(perSecond) },
  { title: 'server CPU µs', text: ({ serverCpuUs }) => formatFigure(serverCpuUs) },
  { title: 'load core', text: ({ loadCoreShare }) => `${Math.round(loadCoreShare * 100)} %` },
];

const RATIO_COLUMNS: readonly Column<Ratio<TapFigure>>[] = [
  { title: 'ratio', text: ratioTitle },
  { title: 'is', text: ({ ratio }) => formatFigure(ratio) },
  { title: 'at most', text: ({ target }) => formatFigure(target) },
  { title: '', text: ({ met }) => (met === undefined ? '' : met ? 'met' : 'MISSED') },
];

export function ratioTitle({ of, to, figure }: Ratio<TapFigure>): string {
  // Both names end with the same load, which is printed only once.
  return `${of.slice(0, of.lastIndexOf(', '))} / ${to}: ${FIGURE_TITLE[figure]}`;
}

const METHOD = `Medians over interleaved rounds; round 0 and the first moments of each row are thrown away. Latency runs from
the send to the result; paced rows count it from the time the tap was meant to leave. The controls answer the same
request bytes with an answer of the same length. Server CPU covers all threads, for each tap. bench/README.md says more.`;

export function formatReport(layouts: readonly LayoutFigures[]): string {
  const parts = layouts.map(({ layout, rows, ratios }) => {
    const measured = ratios.filter(({ ratio }) => Number.isFinite(ratio));
    const tables = [formatTable(ROW_COLUMNS, rows)];
    if (measured.length > 0) tables.push(formatTable(RATIO_COLUMNS, measured));
    return [LAYOUT_TITLE[layout], ...tables].join('\n\n');
  });
  return [...parts, METHOD].join('\n\n');
}
