import type { SessionHandle } from '../../sdk/session.ts';
import type { Point } from '../../sdk/types.ts';
import type { Value } from '../value.ts';

/** A place on the display: shares of it, or its pixels. */
export interface Spot {
  readonly x: number;
  readonly y: number;
  readonly unit: 'share' | 'pixel';
}

/** `50%,20%` or `120, 480`. */
export function readSpot(value: Value): Spot {
  const text = value.text('a point such as 50%,20%');
  const parts = /^\s*(\d+(?:\.\d+)?)\s*(%?)\s*,\s*(\d+(?:\.\d+)?)\s*(%?)\s*$/.exec(text);
  const [, x = '', percentX, y = '', percentY] = parts ?? [];
  if (!parts || percentX !== percentY)
    throw value.fault(`"${text}" must be a point: 50%,20% of the display, or 120,480 in its pixels.`);
  if (percentX === '') return { x: Number(x), y: Number(y), unit: 'pixel' };
  if (Number(x) > 100 || Number(y) > 100) throw value.fault(`"${text}" is not on the display: 100% is its edge.`);
  return { x: Number(x) / 100, y: Number(y) / 100, unit: 'share' };
}

/** As shares of the display, as it is held now. */
export async function pointOf(session: SessionHandle, { x, y, unit }: Spot, signal: AbortSignal): Promise<Point> {
  if (unit === 'share') return { x, y };
  const { device, orientation } = await session.read({ signal });
  const { width = 1, height = 1 } = device ?? {};
  const [across, down] = orientation?.startsWith('landscape') ? [height, width] : [width, height];
  return { x: Math.min(1, x / across), y: Math.min(1, y / down) };
}
