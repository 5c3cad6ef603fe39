import { ratioColumns } from '../../report/goals.ts';
import type { Ratio } from '../../report/ratios.ts';
import { type Column, formatFigure, formatTable } from '../../report/table.ts';
import type { SocketFigures, StepFigures } from './figures.ts';
import type { SocketFigure, StepFigure } from './targets.ts';

const SOCKET_COLUMNS: readonly Column<SocketFigures>[] = [
  { title: 'an idle', text: ({ name }) => name },
  { title: 'opened', text: ({ sockets }) => formatFigure(sockets) },
  { title: 'RSS bytes each', text: ({ rssBytes }) => formatFigure(rssBytes) },
  { title: 'heap bytes each', text: ({ heapBytes }) => formatFigure(heapBytes) },
  { title: 'CPU µs/s each', text: ({ cpuUs }) => formatFigure(cpuUs) },
];

const STEP_COLUMNS: readonly Column<StepFigures>[] = [
  { title: 'one of so many', text: ({ name }) => name },
  { title: 'RSS KB each', text: ({ rssKilobytes }) => formatFigure(rssKilobytes) },
  { title: 'heap KB each', text: ({ heapKilobytes }) => formatFigure(heapKilobytes) },
  { title: 'CPU ms/s in all', text: ({ cpuMsPerSecond }) => formatFigure(cpuMsPerSecond) },
  { title: 'bytes/s in all', text: ({ bytesPerSecond }) => formatFigure(bytesPerSecond) },
];

const FIGURE_TITLE: Partial<Record<SocketFigure | StepFigure, string>> = {
  rssBytes: 'RSS each',
  rssKilobytes: 'RSS each',
  heapKilobytes: 'heap each',
};

export const ratioTitle = ({ of, to, figure }: Ratio<SocketFigure | StepFigure>): string =>
  `${of} / ${to}: ${FIGURE_TITLE[figure] ?? figure}`;

const METHOD = `Memory after a collection in every thread, less that of the same server before. CPU is that of all threads while nothing
happens. bench/README.md says more.`;

/** @param limited the reason why fewer sockets were opened than planned */
export function formatReport(
  sockets: readonly SocketFigures[],
  steps: readonly StepFigures[],
  ratios: readonly Ratio<SocketFigure | StepFigure>[],
  limited: string | undefined,
): string {
  const parts = [formatTable(SOCKET_COLUMNS, sockets)];
  if (limited !== undefined) parts.push(limited);
  if (steps.length > 0) parts.push(formatTable(STEP_COLUMNS, steps));
  const measured = ratios.filter(({ ratio }) => Number.isFinite(ratio));
  if (measured.length > 0) parts.push(formatTable(ratioColumns(ratioTitle), measured));
  return [...parts, METHOD].join('\n\n');
}
