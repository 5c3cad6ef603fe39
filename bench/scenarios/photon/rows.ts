/** One line of the table, and how it is tapped and watched. */
export interface PhotonRow {
  readonly name: string;
  readonly kind: keyof typeof ROW_NAMES;
  /** The program that it cannot be measured without. */
  readonly needs?: 'Chromium' | 'TigerVNC';
}

/** Updates a second that TigerVNC is allowed in the row that is not as it comes: so many that nothing waits for its turn. */
export const VNC_FRAME_RATE = 1_000;

export const ROW_NAMES = {
  jpeg: 'JPEG',
  h264: 'H.264',
  page: 'viewer page',
  screencast: 'DevTools screencast',
  vnc: 'TigerVNC',
  vncFast: `TigerVNC, -FrameRate ${VNC_FRAME_RATE}`,
} as const;

function row(kind: PhotonRow['kind'], needs?: PhotonRow['needs']): PhotonRow {
  return { name: ROW_NAMES[kind], kind, ...(needs === undefined ? {} : { needs }) };
}

/** Rows that are not the service's. */
export const PEER_KINDS: readonly PhotonRow['kind'][] = ['screencast', 'vnc', 'vncFast'];

/** In the order of their turns. */
export const PHOTON_ROWS: readonly PhotonRow[] = [
  row('vnc', 'TigerVNC'),
  row('jpeg'),
  row('vncFast', 'TigerVNC'),
  row('h264'),
  row('screencast', 'Chromium'),
  row('page', 'Chromium'),
];
