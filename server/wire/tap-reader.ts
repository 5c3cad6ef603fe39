import type { InteractionMessage } from '@runcloud/protocol';
import { LIMITS } from '@runcloud/protocol/terms';

/**
 * Reads the message that is sent most often, a tap in its plain form, in one pass over its bytes: looking them over,
 * decoding a map of them and checking that takes several times as long. Whatever is unusual or wrong in the least is left to
 * the general reader, which alone refuses. The bench's goal `tap`, 50 × 64 in flight, falls without it:
 * 32 % fewer taps a second (bench/README.md).
 */

const FIXMAP = 0x80;
const FIXMAP_MAX = 0x8f;
const FIXSTR = 0xa0;
const FIXSTR_MAX = 0xbf;
const STR_8 = 0xd9;
const FLOAT_64 = 0xcb;
const UINT_8 = 0xcc;
const UINT_16 = 0xcd;
const FIXINT_MAX = 0x7f;

/** No such number: none of those that are read is negative. */
const NONE = -1;

/** Keys and values as they are encoded, with the byte of their length. */
const TYPE = encoded('type');
const INTERACTION = encoded('interaction');
const REQUEST_ID = encoded('requestId');
const ACTION = encoded('action');
const TAP = encoded('tap');
const X = encoded('x');
const Y = encoded('y');
const ACKS = encoded('acks');
const ALL = encoded('all');
const FINAL = encoded('final');
const TIMEOUT_MS = encoded('timeoutMs');

/** 1 for the characters that a request id is made of. */
const ID_CHARACTER = new Uint8Array(256);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:-') {
  ID_CHARACTER[character.charCodeAt(0)] = 1;
}
/** One list for each length, so that no id makes another. */
const CODES: readonly number[][] = Array.from({ length: LIMITS.requestIdCharacters.max + 1 }, (_, length) =>
  new Array<number>(length).fill(0),
);

const { min: TIMEOUT_MS_MIN, max: TIMEOUT_MS_MAX, default: TIMEOUT_MS_DEFAULT } = LIMITS.interactionTimeoutMs;

export class TapReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  /** @param bytes where every message is put before it is read */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The tap that the first `length` bytes are; `undefined` for everything else. */
  read(length: number): InteractionMessage | undefined {
    const bytes = this.#bytes;
    const head = bytes[0] as number;
    if (length === 0 || head < FIXMAP || head > FIXMAP_MAX) return undefined;
    let requestId: string | undefined;
    let x = NONE;
    let y = NONE;
    let acks: InteractionMessage['acks'] | undefined;
    let timeoutMs: number | undefined;
    let isInteraction = false;
    let isTap = false;
    this.#at = 1;
    for (let fields = head - FIXMAP; fields > 0; fields--) {
      if (this.#takes(X)) {
        if (x !== NONE) return undefined;
        x = this.#coordinate();
        if (x === NONE) return undefined;
      } else if (this.#takes(Y)) {
        if (y !== NONE) return undefined;
        y = this.#coordinate();
        if (y === NONE) return undefined;
      } else if (this.#takes(TYPE)) {
        if (isInteraction || !this.#takes(INTERACTION)) return undefined;
        isInteraction = true;
      } else if (this.#takes(ACTION)) {
        if (isTap || !this.#takes(TAP)) return undefined;
        isTap = true;
      } else if (this.#takes(REQUEST_ID)) {
        if (requestId !== undefined) return undefined;
        requestId = this.#id(length);
        if (requestId === undefined) return undefined;
      } else if (this.#takes(ACKS)) {
        if (acks !== undefined) return undefined;
        acks = this.#takes(FINAL) ? 'final' : this.#takes(ALL) ? 'all' : undefined;
        if (acks === undefined) return undefined;
      } else if (this.#takes(TIMEOUT_MS)) {
        if (timeoutMs !== undefined) return undefined;
        timeoutMs = this.#whole();
        if (timeoutMs < TIMEOUT_MS_MIN || timeoutMs > TIMEOUT_MS_MAX) return undefined;
      } else {
        return undefined;
      }
    }
    // Bytes beyond the message in the scratch memory belong to an earlier message.
    if (this.#at !== length || !isInteraction || !isTap || requestId === undefined) return undefined;
    if (x === NONE || y === NONE) return undefined;
    const inForceMs = timeoutMs ?? TIMEOUT_MS_DEFAULT;
    return {
      type: 'interaction',
      acks: acks ?? 'all',
      request: { action: 'tap', x, y, requestId, timeoutMs: inForceMs },
    };
  }

  /** Goes past these bytes, if they come next. */
  #takes(expected: Uint8Array): boolean {
    const bytes = this.#bytes;
    const at = this.#at;
    for (let index = 0; index < expected.length; index++) if (bytes[at + index] !== expected[index]) return false;
    this.#at = at + expected.length;
    return true;
  }

  /** From 0 to 1, never negative zero; `NONE` for every other number, and for one in another form. */
  #coordinate(): number {
    const first = this.#bytes[this.#at++] as number;
    if (first <= 1) return first;
    if (first !== FLOAT_64 || this.#at + 8 > this.#bytes.length) return NONE;
    const value = this.#view.getFloat64(this.#at);
    this.#at += 8;
    return value >= 0 && value <= 1 ? value + 0 : NONE;
  }

  /** Not negative, of at most 16 bits; `NONE` for everything else. */
  #whole(): number {
    const bytes = this.#bytes;
    const first = bytes[this.#at++] as number;
    if (first <= FIXINT_MAX) return first;
    if (first === UINT_8) return bytes[this.#at++] as number;
    if (first !== UINT_16) return NONE;
    this.#at += 2;
    return (bytes[this.#at - 2] as number) * 256 + (bytes[this.#at - 1] as number);
  }

  #id(length: number): string | undefined {
    const bytes = this.#bytes;
    const first = bytes[this.#at++] as number;
    let size = first - FIXSTR;
    if (first === STR_8) size = bytes[this.#at++] as number;
    else if (first < FIXSTR || first > FIXSTR_MAX) return undefined;
    const codes = CODES[size];
    if (size === 0 || !codes || this.#at + size > length) return undefined;
    for (let index = 0; index < size; index++) {
      const code = bytes[this.#at + index] as number;
      if (ID_CHARACTER[code] === 0) return undefined;
      codes[index] = code;
    }
    this.#at += size;
    return String.fromCharCode.apply(null, codes);
  }
}

function encoded(text: string): Uint8Array {
  return Uint8Array.from([FIXSTR | text.length, ...new TextEncoder().encode(text)]);
}
