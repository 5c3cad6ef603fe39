import { LIMITS, SCREEN_ENCODINGS, type ScreenEncoding, ServiceError } from '@runcloud/protocol/terms';
import type { DeviceDescriptor } from '../device/driver.ts';
import type { ScreenProfile } from '../link/messages.ts';

const OF_PIXELS: readonly ScreenEncoding[] = ['tiles', 'h264', 'jpeg', 'png'];
const OF_VIDEO: readonly ScreenEncoding[] = ['h264', 'tiles', 'jpeg', 'png'];

/**
 * The encodings that this server offers of a device, first the one with the least delay on a link that carries it: a virtual phone tells
 * what it has drawn, and the video of others passes through as it is.
 */
export const offeredEncodings = ({ driver }: Pick<DeviceDescriptor, 'driver'>): readonly ScreenEncoding[] =>
  driver === 'virtual' ? OF_PIXELS : OF_VIDEO;

/** The stream that a viewer asks for. */
export interface ScreenRequest {
  /** In order of preference. */
  readonly encodings: readonly ScreenEncoding[];
  readonly maxFps?: number;
  readonly maxLongEdge?: number;
  readonly quality?: number;
  /** The name of a display; default: the active one. */
  readonly display?: string;
}

/**
 * Viewers with the same profile share an encoder, so equivalent requests are normalised to the same profile. Throws `invalid_request`
 * if no encoding is offered, and for a display that the device does not have.
 */
export function profileFor(
  { encodings, maxFps, maxLongEdge, quality, display }: ScreenRequest,
  device: Pick<DeviceDescriptor, 'width' | 'height' | 'displays'>,
): ScreenProfile {
  const encoding = encodings.find((wanted) => SCREEN_ENCODINGS.includes(wanted));
  if (!encoding) throw new ServiceError('invalid_request', '"encodings" has none that this server offers.');
  const edges = shownBy(display, device).map(({ width, height }) => Math.max(width, height));
  return {
    encoding,
    ...(maxLongEdge === undefined || maxLongEdge >= Math.max(...edges) ? {} : { maxLongEdge }),
    // PNG is lossless, so its quality is ignored.
    quality: encoding === 'png' ? LIMITS.screenQuality.default : (quality ?? LIMITS.screenQuality.default),
    maxFps: maxFps ?? LIMITS.screenFps.default,
    ...(display === undefined ? {} : { display }),
  };
}

/** The displays that a stream may show: the named one or, since any may become active, all. */
function shownBy(
  display: string | undefined,
  { displays, ...only }: Pick<DeviceDescriptor, 'width' | 'height' | 'displays'>,
): readonly Pick<DeviceDescriptor, 'width' | 'height'>[] {
  const known = displays ?? [];
  if (display === undefined) return [only, ...known];
  const named = known.filter(({ name }) => name === display);
  if (named.length > 0) return named;
  const names = known.map(({ name }) => name).join(', ');
  const reason = names === '' ? 'must be absent: this device has one display' : `must be one of ${names}`;
  throw new ServiceError('invalid_request', `"display" ${reason}.`);
}

export const profileKey = ({ encoding, maxLongEdge, quality, maxFps, display }: ScreenProfile): string =>
  `${encoding} ${maxLongEdge ?? 'own'} ${quality} ${maxFps} ${display ?? ''}`;
