/**
 * The inputs that a test card has received, and the bytes in which it shows them. The card is the page that a device shows while it is
 * certified: nothing but its picture tells what arrived.
 */
export interface Readings {
  /** Chosen by the opener of the card: tells one card from another. 0 to 255. */
  readonly nonce: number;
  /** How many cards this browser has opened, as far as it remembers. */
  readonly visits: number;
  readonly taps: number;
  readonly doubleTaps: number;
  readonly longPresses: number;
  readonly swipes: number;
  /** Gestures of two fingers. */
  readonly pairs: number;
  /** Gestures that the system took back. */
  readonly cancels: number;
  readonly fingersDown: number;
  readonly keys: number;
  /** `textHash` of the last key's name in lower case, cut to a byte. */
  readonly lastKey: number;
  /** Bits of the last key's modifiers, in the order of `CARD_MODIFIERS`. */
  readonly modifiers: number;
  /** UTF-16 units of the typed text, modulo 65,536. */
  readonly textLength: number;
  readonly textHash: number;
  /** Pixels within which the card knows a touch's place: 1 where it knows the pixel. */
  readonly grain: number;
}

export const CARD_MODIFIERS = ['shift', 'control', 'alt', 'meta'] as const;

export const CARD_BYTES = 24;
/** Tells a card from everything else that is black and white. */
const MAGIC = 0xa5;

const WIDTHS: readonly (readonly [keyof Readings, 1 | 2 | 4])[] = [
  ['nonce', 1],
  ['visits', 1],
  ['taps', 2],
  ['doubleTaps', 1],
  ['longPresses', 1],
  ['swipes', 1],
  ['pairs', 1],
  ['cancels', 1],
  ['fingersDown', 1],
  ['keys', 2],
  ['lastKey', 1],
  ['modifiers', 1],
  ['textLength', 2],
  ['textHash', 4],
  ['grain', 1],
];

/** 32 bits of FNV-1a over the UTF-16 units of a text. */
export function textHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193);
  }
  return hash >>> 0;
}

export const keyHash = (name: string): number => textHash(name.toLowerCase()) & 0xff;

/** `CARD_BYTES` bytes: the magic, the readings, big-endian, and a checksum at the end. */
export function encodeReadings(readings: Readings): Uint8Array {
  const bytes = new Uint8Array(CARD_BYTES);
  bytes[0] = MAGIC;
  let at = 1;
  for (const [name, width] of WIDTHS) {
    for (let shift = (width - 1) * 8; shift >= 0; shift -= 8) bytes[at++] = (readings[name] >>> shift) & 0xff;
  }
  bytes[CARD_BYTES - 1] = checksum(bytes);
  return bytes;
}

/** `undefined` for bytes that are no card's. */
export function decodeReadings(bytes: Uint8Array): Readings | undefined {
  if (bytes.length !== CARD_BYTES || bytes[0] !== MAGIC || bytes[CARD_BYTES - 1] !== checksum(bytes)) return undefined;
  let at = 1;
  const values = WIDTHS.map(([name, width]) => {
    let value = 0;
    for (let count = 0; count < width; count++) value = value * 256 + (bytes[at++] ?? 0);
    return [name, value];
  });
  return Object.fromEntries(values) as unknown as Readings;
}

function checksum(bytes: Uint8Array): number {
  let hash = 0x5a;
  for (const byte of bytes.subarray(0, CARD_BYTES - 1)) hash = (Math.imul(hash, 31) + byte) & 0xff;
  return hash;
}
