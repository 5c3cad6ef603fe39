import { LIMITS, SCREEN_ENCODINGS, type ScreenEncoding } from '@runcloud/protocol/terms';
import type { DeviceDescriptor } from '../device/driver.ts';
import type { ScreenProfile } from '../link/messages.ts';

/** The encodings that this server offers. */
export const OFFERED_ENCODINGS: readonly ScreenEncoding[] = SCREEN_ENCODINGS;

/** The stream that a viewer asks for. */
export interface ScreenRequest {
  /** In order of preference. */
  readonly encodings: readonly ScreenEncoding[];
  readonly maxFps?: number;
  readonly maxLongEdge?: number;
  readonly quality?: number;
}

/** Viewers with the same profile share an encoder, so equivalent requests are normalised to the same profile. */
export function profileFor(
  { encodings, maxFps, maxLongEdge, quality }: ScreenRequest,
  { width, height }: Pick<DeviceDescriptor, 'width' | 'height'>,
): ScreenProfile | undefined {
  const encoding = encodings.find((wanted) => OFFERED_ENCODINGS.includes(wanted));
  if (!encoding) return undefined;
  return {
    encoding,
    ...(maxLongEdge === undefined || maxLongEdge >= Math.max(width, height) ? {} : { maxLongEdge }),
    // PNG is lossless, so its quality is ignored.
    quality: encoding === 'png' ? LIMITS.screenQuality.default : (quality ?? LIMITS.screenQuality.default),
    maxFps: maxFps ?? LIMITS.screenFps.default,
  };
}

export const profileKey = ({ encoding, maxLongEdge, quality, maxFps }: ScreenProfile): string =>
  `${encoding} ${maxLongEdge ?? 'own'} ${quality} ${maxFps}`;
