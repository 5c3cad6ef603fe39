/** One line of the table, and how it is tapped and watched. */
export interface PhotonRow {
  readonly name: string;
  readonly kind: 'jpeg' | 'h264' | 'page' | 'screencast';
  /** Cannot be measured without Chromium. */
  readonly needsBrowser: boolean;
}

export const ROW_NAMES = {
  jpeg: 'JPEG',
  h264: 'H.264',
  page: 'viewer page',
  screencast: 'DevTools screencast',
} as const;

const row = (kind: PhotonRow['kind'], needsBrowser: boolean): PhotonRow => ({
  name: ROW_NAMES[kind],
  kind,
  needsBrowser,
});

/** In the order of their turns. */
export const PHOTON_ROWS: readonly PhotonRow[] = [
  row('jpeg', false),
  row('h264', false),
  row('screencast', true),
  row('page', true),
];
