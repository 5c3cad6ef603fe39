import type { Comparison } from '../../report/ratios.ts';
import type { ConnectFigures } from './figures.ts';
import { ROW_NAMES } from './rows.ts';

export type ConnectFigure = Exclude<keyof ConnectFigures, 'name'>;

/**
 * Maximum time to open a control socket relative to a bare socket with the same greeting: the service also reads a key, a
 * session and a record. A first picture takes a round trip, a hop to the host thread and back, and a key picture.
 */
export const TARGETS = { handshakeP50: 2, handshakesPerSecond: 0.4, firstPictureP50: 1.5, furtherP50: 3 } as const;

type Name = keyof typeof ROW_NAMES;
const beside = (of: Name, to: Name, figure: ConnectFigure): Comparison<ConnectFigure> => ({
  of: ROW_NAMES[of],
  to: ROW_NAMES[to],
  figure,
});

export const CONNECT_COMPARISONS: readonly Comparison<ConnectFigure>[] = [
  { ...beside('service', 'uws', 'p50Ms'), target: TARGETS.handshakeP50 },
  beside('service', 'ws', 'p50Ms'),
  { ...beside('serviceMany', 'uwsMany', 'perSecond'), target: TARGETS.handshakesPerSecond, bound: 'at least' },
  beside('serviceMany', 'wsMany', 'perSecond'),
  beside('serviceMany', 'uwsMany', 'serverCpuUs'),
  { ...beside('firstViewer', 'bareFirst', 'p50Ms'), target: TARGETS.firstPictureP50 },
  { ...beside('furtherViewer', 'bareAnswer', 'p50Ms'), target: TARGETS.furtherP50 },
  beside('newSession', 'bareFirst', 'p50Ms'),
];
