import type { ScreenEncoding } from '../protocol.ts';
import type { Decoder, DecoderEvents } from './decoder.ts';
import { ImageDecoder } from './image-decoder.ts';
import { SoftwareDecoder, softwareDecodes } from './software-decoder.ts';
import { TilesDecoder } from './tiles-decoder.ts';
import { WebCodecsDecoder, webCodecsDecodes } from './webcodecs-decoder.ts';

/** Ways to decode, best first. One that failed repeatedly is not asked again. */
export type Way = Decoder['name'];

/** Asked for before the server has named its codec: constrained baseline, level 3.1. */
const PROBE_CODEC = 'avc1.42E01F';

export async function waysOfThisBrowser(): Promise<Set<Way>> {
  const ways = new Set<Way>();
  if (await webCodecsDecodes(PROBE_CODEC)) ways.add('webcodecs');
  if (softwareDecodes(PROBE_CODEC)) ways.add('software');
  return ways.add('tiles').add('image');
}

const canShow = (ways: ReadonlySet<Way>, encoding: ScreenEncoding): boolean => {
  if (encoding === 'h264') return ways.has('webcodecs') || ways.has('software');
  return encoding !== 'tiles' || ways.has('tiles');
};

/**
 * The encodings that the server offers and the page can show, in order of preference: the server's, which begins with the least delay.
 *
 * @param isSlow the link does not carry that: video comes first
 */
export function encodingsFor(
  ways: ReadonlySet<Way>,
  offered: readonly ScreenEncoding[],
  isSlow = false,
): ScreenEncoding[] {
  const shown = offered.filter((encoding) => canShow(ways, encoding));
  return isSlow ? [...shown.filter((one) => one === 'h264'), ...shown.filter((one) => one !== 'h264')] : shown;
}

/** The decoder for the encoding that the server chose; `undefined` if this browser cannot decode that codec. */
export function wayFor(ways: ReadonlySet<Way>, encoding: ScreenEncoding, codec: string): Way | undefined {
  if (encoding === 'tiles') return 'tiles';
  if (encoding !== 'h264') return 'image';
  if (ways.has('webcodecs')) return 'webcodecs';
  return ways.has('software') && softwareDecodes(codec) ? 'software' : undefined;
}

export function makeDecoder(way: Way, codec: string, events: DecoderEvents): Decoder {
  if (way === 'webcodecs') return new WebCodecsDecoder(codec, events);
  if (way === 'tiles') return new TilesDecoder(events);
  return way === 'software' ? new SoftwareDecoder(events) : new ImageDecoder(events);
}

export const codecOf = (codec: string | undefined): string => codec ?? PROBE_CODEC;
