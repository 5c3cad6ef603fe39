import type { Layout } from '../../processes/pin.ts';
import { ratioColumns } from '../../report/goals.ts';
import type { Ratio } from '../../report/ratios.ts';
import { type Column, formatFigure, formatTable } from '../../report/table.ts';
import type { RecordFigures } from './figures.ts';
import type { RecordFigure } from './targets.ts';

const ROW_COLUMNS: readonly Column<RecordFigures>[] = [
  { title: 'a session that is', text: ({ name }) => name },
  { title: 'tap p50 µs', text: ({ tapP50Us }) => formatFigure(tapP50Us) },
  { title: 'p99 µs', text: ({ tapP99Us }) => formatFigure(tapP99Us) },
  { title: 'pictures/s each', text: ({ perViewer }) => formatFigure(perViewer) },
  { title: 'encodings/picture', text: ({ encodingsPerPicture }) => formatFigure(encodingsPerPicture) },
  { title: 'server cores', text: ({ serverCores }) => formatFigure(serverCores) },
  { title: 'recorded s', text: ({ durationMs }) => formatFigure(durationMs / 1_000) },
  { title: 'KB/s', text: ({ kilobytesPerSecond }) => formatFigure(kilobytesPerSecond) },
  { title: 'stop to ready ms', text: ({ readyMs }) => formatFigure(readyMs) },
];

const FIGURE_TITLE: Partial<Record<RecordFigure, string>> = {
  tapP50Us: 'tap p50',
  tapP99Us: 'tap p99',
  encodingsPerPicture: 'encodings for a picture',
  serverCores: 'server CPU',
};

export const ratioTitle = ({ of, to, figure }: Ratio<RecordFigure>): string =>
  `${of} / ${to}: ${FIGURE_TITLE[figure] ?? figure}`;

const METHOD = `Medians over interleaved rounds; round 0 and the first moments of each row are thrown away. Every recording became ready.
Taps count from the time they were meant to leave. bench/README.md says more.`;

export function formatReport(
  layout: Layout,
  rows: readonly RecordFigures[],
  ratios: readonly Ratio<RecordFigure>[],
): string {
  const measured = ratios.filter(({ ratio }) => Number.isFinite(ratio));
  const parts = [layout, formatTable(ROW_COLUMNS, rows)];
  if (measured.length > 0) parts.push(formatTable(ratioColumns(ratioTitle), measured));
  return [...parts, METHOD].join('\n\n');
}
