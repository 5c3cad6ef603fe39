import { ratioColumns } from '../../report/goals.ts';
import type { Ratio } from '../../report/ratios.ts';
import { type Column, formatFigure, formatTable } from '../../report/table.ts';
import type { ConnectFigures } from './figures.ts';
import type { ConnectFigure } from './targets.ts';

const ROW_COLUMNS: readonly Column<ConnectFigures>[] = [
  { title: 'what is opened', text: ({ name }) => name },
  { title: 'opened', text: ({ opened }) => formatFigure(opened) },
  { title: 'p50 ms', text: ({ p50Ms }) => formatFigure(p50Ms) },
  { title: 'p99 ms', text: ({ p99Ms }) => formatFigure(p99Ms) },
  { title: 'a second', text: ({ perSecond }) => formatFigure(perSecond) },
  { title: 'server CPU µs', text: ({ serverCpuUs }) => formatFigure(serverCpuUs) },
];

const FIGURE_TITLE: Partial<Record<ConnectFigure, string>> = {
  p50Ms: 'p50',
  perSecond: 'a second',
  serverCpuUs: 'server CPU',
};

export const ratioTitle = ({ of, to, figure }: Ratio<ConnectFigure>): string =>
  `${of} / ${to}: ${FIGURE_TITLE[figure] ?? figure}`;

const METHOD = `Percentiles over the openings of all rounds, which took turns; round 0 is thrown away. A socket is open with the first
message of its server; a picture is there with its packet. bench/README.md says more.`;

export function formatReport(rows: readonly ConnectFigures[], ratios: readonly Ratio<ConnectFigure>[]): string {
  const measured = ratios.filter(({ ratio }) => Number.isFinite(ratio));
  const parts = [formatTable(ROW_COLUMNS, rows)];
  if (measured.length > 0) parts.push(formatTable(ratioColumns(ratioTitle), measured));
  return [...parts, METHOD].join('\n\n');
}
