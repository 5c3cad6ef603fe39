/** Who taps, and what it sees its taps by. */
export interface FarRow {
  readonly name: string;
  /** Over the far link rather than over the loopback interface. */
  readonly isFar: boolean;
  readonly encoding: 'tiles' | 'h264';
  /** A control, which has no service. */
  readonly isBare?: boolean;
  /** One more viewer watches over the far link. */
  readonly besideFar?: boolean;
}

export const ROW_NAMES = {
  near: 'near, H.264',
  besideFar: 'near, H.264, beside a far viewer',
  bareTiles: 'far, bare tiles',
  bareVideo: 'far, bare H.264',
  tiles: 'far, tiles',
  h264: 'far, H.264',
} as const;

/** In the order of measurement. */
export const FAR_ROWS: readonly FarRow[] = [
  { name: ROW_NAMES.near, isFar: false, encoding: 'h264' },
  { name: ROW_NAMES.besideFar, isFar: false, encoding: 'h264', besideFar: true },
  { name: ROW_NAMES.bareTiles, isFar: true, encoding: 'tiles', isBare: true },
  { name: ROW_NAMES.tiles, isFar: true, encoding: 'tiles' },
  { name: ROW_NAMES.bareVideo, isFar: true, encoding: 'h264', isBare: true },
  { name: ROW_NAMES.h264, isFar: true, encoding: 'h264' },
];
