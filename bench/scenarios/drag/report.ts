import type { Layout } from '../../processes/pin.ts';
import { ratioColumns } from '../../report/goals.ts';
import type { Ratio } from '../../report/ratios.ts';
import { type Column, formatFigure, formatTable } from '../../report/table.ts';
import type { DragRowFigures } from './figures.ts';
import { STEPS_PER_SECOND } from './rows.ts';
import type { DragFigure } from './targets.ts';

const ROW_COLUMNS: readonly Column<DragRowFigures>[] = [
  { title: `${STEPS_PER_SECOND} steps a second`, text: ({ name }) => name },
  { title: 'step p50 µs', text: ({ p50Us }) => formatFigure(p50Us) },
  { title: 'p99 µs', text: ({ p99Us }) => formatFigure(p99Us) },
  { title: 'jitter p50', text: ({ jitterP50Us }) => formatFigure(jitterP50Us) },
  { title: 'p99', text: ({ jitterP99Us }) => formatFigure(jitterP99Us) },
  { title: 'end to taken p50', text: ({ takenP50Us }) => formatFigure(takenP50Us) },
  { title: 'p99', text: ({ takenP99Us }) => formatFigure(takenP99Us) },
  { title: 'replaced', text: ({ replaced }) => String(replaced) },
  { title: 'server CPU µs', text: ({ serverCpuUs }) => formatFigure(serverCpuUs) },
];

const FIGURE_TITLE: Partial<Record<DragFigure, string>> = {
  p50Us: 'step p50',
  p99Us: 'step p99',
  jitterP50Us: 'jitter p50',
  jitterP99Us: 'jitter p99',
};

export const ratioTitle = ({ of, to, figure }: Ratio<DragFigure>): string =>
  `${of} / ${to}: ${FIGURE_TITLE[figure] ?? figure}`;

const METHOD = `Medians over interleaved rounds; round 0 and the first gesture of each row are thrown away. A step counts from the time it
was meant to leave to its "dispatched"; "taken" from the end of a stroke to its result. bench/README.md says more.`;

export function formatReport(
  layout: Layout,
  rows: readonly DragRowFigures[],
  ratios: readonly Ratio<DragFigure>[],
): string {
  const measured = ratios.filter(({ ratio }) => Number.isFinite(ratio));
  const tables = measured.length > 0 ? [formatTable(ratioColumns(ratioTitle), measured)] : [];
  return [layout, ...tables, formatTable(ROW_COLUMNS, rows), METHOD].join('\n\n');
}
