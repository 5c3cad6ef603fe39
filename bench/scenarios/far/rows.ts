import type { WatchedEncoding } from '../../photon/job.ts';

/** Who taps, and what it sees its taps by. */
export interface FarRow {
  readonly name: string;
  /** Over the far link rather than over the loopback interface. */
  readonly isFar: boolean;
  /** `bare` for the control, which has no service. */
  readonly encoding: WatchedEncoding | 'bare';
  /** One more viewer watches over the far link. */
  readonly besideFar?: boolean;
}

export const ROW_NAMES = {
  near: 'near, H.264',
  besideFar: 'near, H.264, beside a far viewer',
  bare: 'far, bare tiles',
  tiles: 'far, tiles',
  h264: 'far, H.264',
} as const;

/** In the order of measurement. */
export const FAR_ROWS: readonly FarRow[] = [
  { name: ROW_NAMES.near, isFar: false, encoding: 'h264' },
  { name: ROW_NAMES.besideFar, isFar: false, encoding: 'h264', besideFar: true },
  { name: ROW_NAMES.bare, isFar: true, encoding: 'bare' },
  { name: ROW_NAMES.tiles, isFar: true, encoding: 'tiles' },
  { name: ROW_NAMES.h264, isFar: true, encoding: 'h264' },
];
