import type { Ratio } from '../../report/ratios.ts';
import { type Column, formatFigure, formatTable } from '../../report/table.ts';
import type { CrowdedFigures } from './figures.ts';
import type { CrowdedFigure } from './targets.ts';

const ROW_COLUMNS: readonly Column<CrowdedFigures>[] = [
  { title: 'a session', text: ({ name }) => name },
  { title: 'tap p50 µs', text: ({ tapP50Us }) => formatFigure(tapP50Us) },
  { title: 'p99 µs', text: ({ tapP99Us }) => formatFigure(tapP99Us) },
  { title: 'held p99 ms', text: ({ heldP99Ms }) => formatFigure(heldP99Ms) },
  { title: 'pictures/s each', text: ({ perViewer }) => formatFigure(perViewer) },
  { title: 'encodings/picture', text: ({ encodingsPerPicture }) => formatFigure(encodingsPerPicture) },
  { title: 'server cores', text: ({ serverCores }) => formatFigure(serverCores) },
];

const FIGURE_TITLE: Partial<Record<CrowdedFigure, string>> = {
  tapP50Us: 'tap p50',
  tapP99Us: 'tap p99',
  encodingsPerPicture: 'encodings for a picture',
};

export const ratioTitle = ({ of, to, figure }: Ratio<CrowdedFigure>): string =>
  `${of} / ${to}: ${FIGURE_TITLE[figure] ?? figure}`;

const RATIO_COLUMNS: readonly Column<Ratio<CrowdedFigure>>[] = [
  { title: 'ratio', text: ratioTitle },
  { title: 'is', text: ({ ratio }) => formatFigure(ratio) },
  { title: 'at most', text: ({ target }) => formatFigure(target) },
  { title: '', text: ({ met }) => (met === undefined ? '' : met ? 'met' : 'MISSED') },
];

const METHOD = `Medians over interleaved rounds; round 0 and the first moments of each row are thrown away. Taps count from the time they
were meant to leave. No process is bound to a core. bench/README.md says more.`;

export function formatReport(rows: readonly CrowdedFigures[], ratios: readonly Ratio<CrowdedFigure>[]): string {
  const measured = ratios.filter(({ ratio }) => Number.isFinite(ratio));
  const tables = measured.length > 0 ? [formatTable(RATIO_COLUMNS, measured)] : [];
  return [formatTable(ROW_COLUMNS, rows), ...tables, METHOD].join('\n\n');
}
