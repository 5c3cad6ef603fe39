import { ratioColumns } from '../../report/goals.ts';
import type { Ratio } from '../../report/ratios.ts';
import { type Column, formatFigure, formatTable } from '../../report/table.ts';
import type { RowFigures } from './figures.ts';
import type { PhotonFigure } from './targets.ts';

const ROW_COLUMNS: readonly Column<RowFigures>[] = [
  { title: 'a tap, seen by', text: ({ name }) => name },
  { title: 'taps', text: ({ taps }) => String(taps) },
  { title: 'least ms', text: ({ leastMs }) => formatFigure(leastMs) },
  { title: 'p50 ms', text: ({ p50Ms }) => formatFigure(p50Ms) },
  { title: 'p95 ms', text: ({ p95Ms }) => formatFigure(p95Ms) },
  { title: 'p99 ms', text: ({ p99Ms }) => formatFigure(p99Ms) },
  { title: 'decoded p50', text: ({ pixelsP50Ms }) => formatFigure(pixelsP50Ms) },
  { title: 'from capture p50', text: ({ captureP50Ms }) => formatFigure(captureP50Ms) },
  { title: 'device p50', text: ({ deviceP50Ms }) => formatFigure(deviceP50Ms) },
  { title: 'service p50', text: ({ serviceP50Ms }) => formatFigure(serviceP50Ms) },
  { title: 'bytes', text: ({ pictureBytes }) => formatFigure(pictureBytes) },
  { title: 'still bytes/s', text: ({ stillBytesPerSecond }) => String(Math.round(stillBytesPerSecond)) },
];

const FIGURE_TITLE: Partial<Record<PhotonFigure, string>> = { p50Ms: 'p50', p95Ms: 'p95', p99Ms: 'p99' };

export const ratioTitle = ({ of, to, figure }: Ratio<PhotonFigure>): string =>
  `${of} / ${to}: ${FIGURE_TITLE[figure] ?? figure}`;

const METHOD = `Percentiles over the taps of all rounds, which took turns; round 0 is thrown away. From the send of a tap to the arrival
of the first picture that shows it; in the viewer page, from the pointer's event to the drawn canvas. Every picture
was decoded, and had the tap's mark where the tap was. bench/README.md says more.`;

/** @param missing the reasons why rows are left out */
export function formatReport(
  rows: readonly RowFigures[],
  ratios: readonly Ratio<PhotonFigure>[],
  missing: string | undefined,
): string {
  const measured = ratios.filter(({ ratio }) => Number.isFinite(ratio));
  const parts = [formatTable(ROW_COLUMNS, rows)];
  if (missing !== undefined) parts.push(missing);
  if (measured.length > 0) parts.push(formatTable(ratioColumns(ratioTitle), measured));
  return [...parts, METHOD].join('\n\n');
}
