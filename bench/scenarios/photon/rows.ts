/** One line of the table: a way to tap and watch. */
export interface PhotonRow {
  readonly name: string;
  readonly kind: keyof typeof ROW_NAMES;
  /** The program that the row requires. */
  readonly needs?: 'Chromium' | 'TigerVNC';
}

/** Updates per second that TigerVNC may send in the row with a raised rate, high enough that no update is delayed. */
export const VNC_FRAME_RATE = 1_000;

export const ROW_NAMES = {
  bare: 'bare tiles',
  bareJpeg: 'bare JPEG',
  bareVideo: 'bare H.264',
  barePage: 'bare page',
  tiles: 'tiles',
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

/** Kinds of rows that do not measure the service. */
export const PEER_KINDS: readonly PhotonRow['kind'][] = [
  'bare',
  'bareJpeg',
  'bareVideo',
  'barePage',
  'screencast',
  'vnc',
  'vncFast',
];

/** Kinds of rows whose pictures come over a socket, with the number of the input that they show. */
export const STAGED_KINDS: readonly PhotonRow['kind'][] = ['tiles', 'jpeg', 'h264'];

/** In the order of measurement. */
export const PHOTON_ROWS: readonly PhotonRow[] = [
  row('vnc', 'TigerVNC'),
  row('bare'),
  row('tiles'),
  row('jpeg'),
  row('bareJpeg'),
  row('vncFast', 'TigerVNC'),
  row('h264'),
  row('bareVideo'),
  row('screencast', 'Chromium'),
  row('page', 'Chromium'),
  row('barePage', 'Chromium'),
];
