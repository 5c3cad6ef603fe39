import type { BrowserTapper } from '../../browser/job.ts';
import type { LoadMode } from '../../load/job.ts';
import { type RequestRow, rowName } from '../requests/row.ts';

/** Servers under request load: the service, and the peers with a network interface. */
export type PeerServer = 'RunCloud' | 'socket.io' | 'socket.io, device thread' | 'Appium';

export interface PeerRow extends RequestRow {
  /** The receiver of the taps: a server, or a page in a browser. */
  readonly tapped: { readonly server: PeerServer; readonly by?: 'WebDriver' } | { readonly browser: BrowserTapper };
}

export const SUBJECTS = {
  RunCloud: 'control socket',
  WebDriver: 'RunCloud by WebDriver',
  'socket.io': 'socket.io',
  'socket.io, device thread': 'socket.io, device thread',
  Appium: 'Appium',
  DevTools: 'DevTools touch',
  Playwright: 'Playwright tap',
} as const;

export const LOADS = { one: '1 in flight', deep: '50 × 64 in flight', wide: '50 connections' } as const;
const MODES: Record<keyof typeof LOADS, LoadMode> = {
  one: { kind: 'closed', connections: 1, inFlight: 1 },
  deep: { kind: 'closed', connections: 50, inFlight: 64 },
  // Over HTTP, a request waits for the answer to the one before.
  wide: { kind: 'closed', connections: 50, inFlight: 1 },
};

function row(subject: keyof typeof SUBJECTS, load: keyof typeof LOADS): PeerRow {
  const tapped = tappedBy(subject);
  const names = { name: rowName(SUBJECTS[subject], LOADS[load]), subject: SUBJECTS[subject], load: LOADS[load] };
  return { ...names, mode: MODES[load], tapped };
}

function tappedBy(subject: keyof typeof SUBJECTS): PeerRow['tapped'] {
  if (subject === 'DevTools' || subject === 'Playwright') return { browser: subject };
  return subject === 'WebDriver' ? { server: 'RunCloud', by: subject } : { server: subject };
}

/** In the order of measurement, each beside the rows that it is compared with. */
export const PEER_ROWS: readonly PeerRow[] = [
  row('RunCloud', 'one'),
  row('socket.io', 'one'),
  row('Appium', 'one'),
  row('WebDriver', 'one'),
  row('DevTools', 'one'),
  row('Playwright', 'one'),
  row('RunCloud', 'deep'),
  row('socket.io', 'deep'),
  row('socket.io, device thread', 'deep'),
  row('Appium', 'wide'),
];
