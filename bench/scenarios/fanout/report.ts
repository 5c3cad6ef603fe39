import type { Layout } from '../../processes/pin.ts';
import type { Ratio } from '../../report/ratios.ts';
import { type Column, formatFigure, formatTable } from '../../report/table.ts';
import type { FanOutFigures } from './figures.ts';
import type { FanOutFigure } from './targets.ts';

/** The measured figures of one layout. */
export interface LayoutFigures {
  readonly layout: Layout;
  readonly rows: readonly FanOutFigures[];
  readonly ratios: readonly Ratio<FanOutFigure>[];
}

const FIGURE_TITLE: Partial<Record<FanOutFigure, string>> = {
  packetCpuUs: 'CPU of the socket thread for a packet',
  heldP99Ms: 'loop held, p99',
  perViewer: 'pictures a second',
};

const ROW_COLUMNS: readonly Column<FanOutFigures>[] = [
  { title: 'sender', text: ({ subject }) => subject },
  { title: 'viewers', text: ({ viewers }) => String(viewers) },
  { title: 'pictures/s each', text: ({ perViewer }) => formatFigure(perViewer) },
  { title: 'KB/s', text: ({ kilobytesPerSecond }) => formatFigure(kilobytesPerSecond) },
  { title: 'CPU µs/packet', text: ({ packetCpuUs }) => formatFigure(packetCpuUs) },
  { title: 'CPU ms/s/viewer', text: ({ viewerCpuMs }) => formatFigure(viewerCpuMs) },
  { title: 'server cores', text: ({ serverCores }) => formatFigure(serverCores) },
  { title: 'delay p50 ms', text: ({ delayP50Ms }) => formatFigure(delayP50Ms) },
  { title: 'p99', text: ({ delayP99Ms }) => formatFigure(delayP99Ms) },
  { title: 'held p99 ms', text: ({ heldP99Ms }) => formatFigure(heldP99Ms) },
  { title: 'max', text: ({ heldMaxMs }) => formatFigure(heldMaxMs) },
  { title: 'crowd core', text: ({ crowdCore }) => `${Math.round(crowdCore * 100)} %` },
];

const RATIO_COLUMNS: readonly Column<Ratio<FanOutFigure>>[] = [
  { title: 'ratio', text: ratioTitle },
  { title: 'is', text: ({ ratio }) => formatFigure(ratio) },
  { title: 'at most', text: ({ target }) => formatFigure(target) },
  { title: '', text: ({ met }) => (met === undefined ? '' : met ? 'met' : 'MISSED') },
];

export function ratioTitle({ of, to, figure }: Ratio<FanOutFigure>): string {
  return `${of} / ${to.slice(0, to.lastIndexOf(', '))}: ${FIGURE_TITLE[figure] ?? figure}`;
}

const METHOD = `Medians over interleaved rounds; round 0 is thrown away. The senders without a service send packets of the sizes that
the service's own stream had just before, at its rate. CPU is that of the thread that holds the sockets; "server cores"
counts all threads, for the service its host's drawing and encoding too. bench/README.md says more.`;

export function formatReport(layouts: readonly LayoutFigures[]): string {
  const parts = layouts.map(({ layout, rows, ratios }) => {
    const measured = ratios.filter(({ ratio }) => Number.isFinite(ratio));
    const tables = measured.length > 0 ? [formatTable(RATIO_COLUMNS, measured)] : [];
    return [layout, ...tables, formatTable(ROW_COLUMNS, rows)].join('\n\n');
  });
  return [...parts, METHOD].join('\n\n');
}
