import type { Layout } from '../../processes/pin.ts';
import { type Goal, ratioColumns, ratioGoals } from '../../report/goals.ts';
import type { Ratio } from '../../report/ratios.ts';
import { type Column, formatFigure, formatTable } from '../../report/table.ts';
import type { RowFigures } from '../tap/figures.ts';

export type RequestFigure = Exclude<keyof RowFigures, 'name' | 'subject' | 'load'>;

/** The measured figures of one layout. */
export interface LayoutFigures {
  readonly layout: Layout;
  readonly rows: readonly RowFigures[];
  readonly ratios: readonly Ratio<RequestFigure>[];
}

const LAYOUT_TITLE: Record<Layout, string> = {
  'one-core': 'one core: server and load share it, nothing sleeps in between',
  'two-cores': 'two cores: one for the server, one for the load; each wakes the other',
};

const FIGURE_TITLE: Partial<Record<RequestFigure, string>> = {
  p50Us: 'p50',
  p99Us: 'p99',
  perSecond: 'answers/s',
};

const rowColumns = (what: string): readonly Column<RowFigures>[] => [
  { title: what, text: ({ subject }) => subject },
  { title: 'load', text: ({ load }) => load },
  { title: 'p50 µs', text: ({ p50Us }) => formatFigure(p50Us) },
  { title: 'p99 µs', text: ({ p99Us }) => formatFigure(p99Us) },
  { title: 'p99.9 µs', text: ({ p999Us }) => formatFigure(p999Us) },
  { title: 'answers/s', text: ({ perSecond }) => formatFigure(perSecond) },
  { title: 'server CPU µs', text: ({ serverCpuUs }) => formatFigure(serverCpuUs) },
  { title: 'load core', text: ({ loadCoreShare }) => formatShare(loadCoreShare) },
];

const formatShare = (share: number): string => (Number.isNaN(share) ? '-' : `${Math.round(share * 100)} %`);

export type RatioTitle = (ratio: Ratio<RequestFigure>) => string;

export const figureTitle = (figure: RequestFigure): string => FIGURE_TITLE[figure] ?? figure;

/** The goals of all layouts, each prefixed with its layout's name. */
export const layoutGoals = (layouts: readonly LayoutFigures[], title: RatioTitle): Goal[] =>
  layouts.flatMap(({ layout, ratios }) => ratioGoals(ratios, title, layout));

/**
 * Ratios first, figures second, for each layout.
 *
 * @param what title of the column of subjects
 * @param notes additional remarks
 */
export function formatLayouts(
  what: string,
  layouts: readonly LayoutFigures[],
  title: RatioTitle,
  notes: readonly string[],
): string {
  const parts = layouts.map(({ layout, rows, ratios }) => {
    const measured = ratios.filter(({ ratio }) => Number.isFinite(ratio));
    const tables = measured.length > 0 ? [formatTable(ratioColumns(title), measured)] : [];
    return [LAYOUT_TITLE[layout], ...tables, formatTable(rowColumns(what), rows)].join('\n\n');
  });
  return [...parts, ...notes].join('\n\n');
}
