import { ratioColumns } from '../../report/goals.ts';
import type { Ratio } from '../../report/ratios.ts';
import { type Column, formatFigure, formatTable } from '../../report/table.ts';
import type { MixedFigures } from './figures.ts';
import type { MixedFigure } from './targets.ts';

const ROW_COLUMNS: readonly Column<MixedFigures>[] = [
  { title: 'taps on a', text: ({ name }) => name },
  { title: 'tap p50 µs', text: ({ tapP50Us }) => formatFigure(tapP50Us) },
  { title: 'p99 µs', text: ({ tapP99Us }) => formatFigure(tapP99Us) },
  { title: 'p99.9 µs', text: ({ tapP999Us }) => formatFigure(tapP999Us) },
  { title: 'taps/s', text: ({ tapsPerSecond }) => formatFigure(tapsPerSecond) },
  { title: 'delay p50 ms', text: ({ delayP50Ms }) => formatFigure(delayP50Ms) },
  { title: 'p99', text: ({ delayP99Ms }) => formatFigure(delayP99Ms) },
  { title: 'pictures/s each', text: ({ perViewer }) => formatFigure(perViewer) },
  { title: 'server cores', text: ({ serverCores }) => formatFigure(serverCores) },
  { title: 'stop to ready ms', text: ({ readyMs }) => formatFigure(readyMs) },
];

const FIGURE_TITLE: Partial<Record<MixedFigure, string>> = { tapP50Us: 'tap p50', tapP99Us: 'tap p99' };

export const ratioTitle = ({ of, to, figure }: Ratio<MixedFigure>): string =>
  `${of} / ${to}: ${FIGURE_TITLE[figure] ?? figure}`;

const METHOD = `Medians over interleaved rounds; round 0 and the first moments of each row are thrown away. Taps count from the time they
were meant to leave; delay is from the capture of a picture to its arrival. bench/README.md says more.`;

export function formatReport(rows: readonly MixedFigures[], ratios: readonly Ratio<MixedFigure>[]): string {
  const measured = ratios.filter(({ ratio }) => Number.isFinite(ratio));
  const parts = [formatTable(ROW_COLUMNS, rows)];
  if (measured.length > 0) parts.push(formatTable(ratioColumns(ratioTitle), measured));
  return [...parts, METHOD].join('\n\n');
}
