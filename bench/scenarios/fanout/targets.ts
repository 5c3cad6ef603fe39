import type { Comparison } from '../../report/ratios.ts';
import type { FanOutFigures } from './figures.ts';
import { rowName, type SubjectName, VIEWERS } from './rows.ts';

export type FanOutFigure = Exclude<keyof FanOutFigures, 'name' | 'subject' | 'viewers'>;

/**
 * Maximum cost of one viewer relative to a bare sender whose viewers acknowledge, too, and to one that reads it; and maximum blocking of the event loop
 * by a thousand viewers relative to a bare `publish`, which sends to all at once while the service sends in time slices.
 */
export const TARGETS = { packetCpu: 1.2, heardPacketCpu: 1.15, held: 0.75 } as const;

function compare(
  to: SubjectName,
  viewers: number,
  figure: FanOutFigure,
  target?: number,
  of: SubjectName = 'RunCloud',
): Comparison<FanOutFigure> {
  const names = { of: rowName(of, viewers), to: rowName(to, viewers), figure };
  return target === undefined ? names : { ...names, target };
}

export const COMPARISONS: readonly Comparison<FanOutFigure>[] = [
  ...VIEWERS.slice(1).flatMap((viewers) => [
    compare('uWS publish', viewers, 'packetCpuUs'),
    compare('uWS send, acked', viewers, 'packetCpuUs', TARGETS.packetCpu),
    compare('uWS send, heard', viewers, 'packetCpuUs', TARGETS.heardPacketCpu),
    compare('uWS publish', viewers, 'heldP99Ms', viewers === 1_000 ? TARGETS.held : undefined),
    compare('uWS send, acked', viewers, 'perViewer'),
    compare('RunCloud', viewers, 'packetCpuUs', undefined, 'RunCloud over ws'),
    compare('RunCloud', viewers, 'perViewer', undefined, 'RunCloud over ws'),
  ]),
];
