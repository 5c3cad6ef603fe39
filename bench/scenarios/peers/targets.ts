import type { Layout } from '../../processes/pin.ts';
import type { Comparison } from '../../report/ratios.ts';
import type { RequestFigure } from '../requests/report.ts';
import { rowName } from '../requests/row.ts';
import { LOADS, SUBJECTS } from './rows.ts';

type PeerComparison = Comparison<RequestFigure>;
type Row = readonly [subject: keyof typeof SUBJECTS, load: keyof typeof LOADS];

/** Minimum factors by which a tap is faster than the peer's, and by which the throughput is higher. */
export const TARGETS = {
  appiumP50: { 'one-core': 10, 'two-cores': 3 },
  playwrightP50: 60,
  appiumPerSecond: 50,
  socketIoPerSecond: 4,
} as const;

const OURS: Row = ['RunCloud', 'one'];
const OURS_DEEP: Row = ['RunCloud', 'deep'];

function compare([of, ofLoad]: Row, [to, toLoad]: Row, figure: RequestFigure, target?: number): PeerComparison {
  const names = { of: rowName(SUBJECTS[of], LOADS[ofLoad]), to: rowName(SUBJECTS[to], LOADS[toLoad]), figure };
  return target === undefined ? names : { ...names, target, bound: 'at least' };
}

/** The comparisons of a layout: the peer's time divided by ours, and our throughput by the peer's, so that higher is better. */
export function peerComparisons(layout: Layout): readonly PeerComparison[] {
  const found = [
    compare(['Appium', 'one'], OURS, 'p50Us', TARGETS.appiumP50[layout]),
    // The same request: what a suite that is written for Appium gains.
    compare(['Appium', 'one'], ['WebDriver', 'one'], 'p50Us'),
    compare(['Playwright', 'one'], OURS, 'p50Us', TARGETS.playwrightP50),
    compare(['DevTools', 'one'], OURS, 'p50Us'),
    compare(['socket.io', 'one'], OURS, 'p50Us'),
    // Without a device it does less work than the service.
    compare(OURS_DEEP, ['socket.io', 'deep'], 'perSecond'),
    compare(OURS_DEEP, ['socket.io, device thread', 'deep'], 'perSecond', TARGETS.socketIoPerSecond),
    compare(OURS_DEEP, ['Appium', 'wide'], 'perSecond', TARGETS.appiumPerSecond),
  ];
  // A browser needs more than one core itself, so its rows are compared with ours in the layout of one core for each side.
  const browsers: readonly string[] = [rowName(SUBJECTS.DevTools, LOADS.one), rowName(SUBJECTS.Playwright, LOADS.one)];
  return layout === 'two-cores' ? found : found.filter(({ of }) => !browsers.includes(of));
}
