import { ratioColumns } from '../../report/goals.ts';
import type { Ratio } from '../../report/ratios.ts';
import { type Column, formatFigure, formatTable } from '../../report/table.ts';
import type { ScreenshotFigures } from './figures.ts';
import type { ScreenshotFigure } from './targets.ts';

const ROW_COLUMNS: readonly Column<ScreenshotFigures>[] = [
  { title: 'a screenshot from', text: ({ name }) => name },
  { title: 'taken', text: ({ stills }) => String(stills) },
  { title: 'p50 ms', text: ({ p50Ms }) => formatFigure(p50Ms) },
  { title: 'p95 ms', text: ({ p95Ms }) => formatFigure(p95Ms) },
  { title: 'p99 ms', text: ({ p99Ms }) => formatFigure(p99Ms) },
  { title: 'bytes', text: ({ bytes }) => formatFigure(bytes) },
];

const FIGURE_TITLE: Partial<Record<ScreenshotFigure, string>> = { p50Ms: 'p50', p99Ms: 'p99' };

export const ratioTitle = ({ of, to, figure }: Ratio<ScreenshotFigure>): string =>
  `${of} / ${to}: ${FIGURE_TITLE[figure] ?? figure}`;

const METHOD = `Percentiles over the stills of all rounds, which took turns; round 0 is thrown away. From the request's send to the last
byte; of the encoder, from the call to its end. The screen is changed by a tap before each, where the row says so, and every
picture was checked to differ from the one before. bench/README.md says more.`;

export function formatReport(rows: readonly ScreenshotFigures[], ratios: readonly Ratio<ScreenshotFigure>[]): string {
  const measured = ratios.filter(({ ratio }) => Number.isFinite(ratio));
  const parts = [formatTable(ROW_COLUMNS, rows)];
  if (measured.length > 0) parts.push(formatTable(ratioColumns(ratioTitle), measured));
  return [...parts, METHOD].join('\n\n');
}
