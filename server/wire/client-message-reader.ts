import { type ClientMessageCheck, checkClientMessage, type InteractionMessage, PLAIN_MAPS } from '@runcloud/protocol';
import { LIMITS } from '@runcloud/protocol/terms';
import { Unpackr } from 'msgpackr';
import { scanMessage } from './message-scan.ts';
import { TapReader } from './tap-reader.ts';

/** The result of reading one client message: a valid message, one to refuse, or bytes that end the connection. */
export type ClientMessageRead = ClientMessageCheck | { readonly kind: 'undecodable'; readonly reason: string };

/**
 * Reads client messages on the server. It copies each into one scratch buffer first: the socket's own memory is gone
 * after the callback, and decoding from a kept buffer is faster than from a fresh view.
 */
export class ClientMessageReader {
  readonly #scratch: Uint8Array;
  readonly #taps: TapReader;
  readonly #unpackr = new Unpackr({ ...PLAIN_MAPS, int64AsType: 'number', copyBuffers: true });

  /** @param scratch at least `LIMITS.clientMessageBytes` long; in Node.js a Buffer decodes fastest */
  constructor(scratch: Uint8Array = new Uint8Array(LIMITS.clientMessageBytes)) {
    this.#scratch = scratch;
    this.#taps = new TapReader(scratch);
  }

  read(bytes: Uint8Array): ClientMessageRead {
    const length = bytes.byteLength;
    if (length > this.#scratch.byteLength) return { kind: 'undecodable', reason: 'the message is too large' };
    this.#scratch.set(bytes);
    const tap = this.#taps.read(length);
    if (tap) return new TapRead(tap);
    const scan = scanMessage(this.#scratch, length);
    if (!scan.ok) return { kind: 'undecodable', reason: scan.reason };
    let map: Record<string, unknown>;
    try {
      map = this.#unpackr.unpack(this.#scratch, length);
    } catch {
      // The decoder's own words quote the payload, so they are not passed on.
      return { kind: 'undecodable', reason: 'the message is not MessagePack' };
    }
    // A repeated key collapses while decoding: fewer fields come out than went in.
    if (countFields(map) !== scan.mapEntries) return { kind: 'undecodable', reason: 'a map key is repeated' };
    return checkClientMessage(map);
  }
}

/** A tap, which no map was made of: only a refusal wants one. */
class TapRead {
  readonly kind = 'valid';
  readonly message: InteractionMessage;

  constructor(message: InteractionMessage) {
    this.message = message;
  }

  get map(): Readonly<Record<string, unknown>> {
    const { type, acks, request } = this.message;
    return { type, acks, ...request };
  }
}

/** Fields of a decoded message in all its maps. Depth is bounded by the scan before. */
function countFields(map: Readonly<Record<string, unknown>>): number {
  let count = 0;
  // A decoded map inherits no enumerable field; this loop makes no list of its keys or values.
  for (const key in map) count += 1 + fieldsWithin(map[key]);
  return count;
}

function fieldsWithin(value: unknown): number {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return 0;
  if (!Array.isArray(value)) return countFields(value as Readonly<Record<string, unknown>>);
  let count = 0;
  for (const item of value) count += fieldsWithin(item);
  return count;
}
