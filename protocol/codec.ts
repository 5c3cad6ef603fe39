import { Packr, Unpackr } from 'msgpackr';
import { LIMITS } from './limits.ts';
import { scanMessage } from './message-scan.ts';
import { type ClientMessageCheck, checkClientMessage } from './messages/client.ts';
import type { ServerMessage } from './messages/server.ts';
import { readScreenHeader, SCREEN_HEADER_BYTES, SCREEN_PACKET_KIND, type ScreenHeader } from './screen-packet.ts';

/** Bytes of the control socket <-> checked messages: plain MessagePack maps, readable by any library. */

const PLAIN = { useRecords: false, mapsAsObjects: true, structuredClone: false, variableMapSize: true } as const;
const packr = new Packr({ ...PLAIN, useBigIntExtension: false });
const serverUnpackr = new Unpackr({ ...PLAIN, int64AsType: 'number' });

/** What the bytes of one client message are. `map` is the decoded message, for the request id of an answer. */
export type ClientMessageRead =
  | { readonly kind: 'undecodable'; readonly reason: string }
  | (ClientMessageCheck & { readonly map: Readonly<Record<string, unknown>> });

/**
 * Reads client messages on the server. It copies each into one scratch buffer first: the socket's own memory is gone
 * after the callback, and decoding from a kept buffer is faster than from a fresh view.
 */
export class ClientMessageReader {
  readonly #scratch: Uint8Array;
  readonly #unpackr = new Unpackr({ ...PLAIN, int64AsType: 'number', copyBuffers: true });

  /** @param scratch at least `LIMITS.clientMessageBytes` long; in Node.js a Buffer decodes fastest */
  constructor(scratch: Uint8Array = new Uint8Array(LIMITS.clientMessageBytes)) {
    this.#scratch = scratch;
  }

  read(bytes: Uint8Array): ClientMessageRead {
    const length = bytes.byteLength;
    if (length > this.#scratch.byteLength) return { kind: 'undecodable', reason: 'the message is too large' };
    this.#scratch.set(bytes);
    const scan = scanMessage(this.#scratch, length);
    if (!scan.ok) return { kind: 'undecodable', reason: scan.reason };
    let map: Record<string, unknown>;
    try {
      map = this.#unpackr.unpack(this.#scratch, { start: 0, end: length });
    } catch {
      // The decoder's own words quote the payload, so they are not passed on.
      return { kind: 'undecodable', reason: 'the message is not MessagePack' };
    }
    // A repeated key collapses while decoding: fewer fields come out than went in.
    if (countFields(map) !== scan.mapEntries) return { kind: 'undecodable', reason: 'a map key is repeated' };
    return { ...checkClientMessage(map), map };
  }
}

/** Fields of a decoded message in all its maps. Depth is bounded by the scan before. */
function countFields(value: object): number {
  if (value instanceof Uint8Array) return 0;
  const isList = Array.isArray(value);
  const items = isList ? value : Object.values(value);
  let count = isList ? 0 : items.length;
  for (const item of items) if (typeof item === 'object' && item !== null) count += countFields(item);
  return count;
}

export function encodeServerMessage(message: ServerMessage): Uint8Array {
  return packr.pack(message);
}

/** Encodes a message as a client sends it: a plain map. Nothing is checked; the server answers what it refuses. */
export function encodeClientMessage(message: Readonly<Record<string, unknown>>): Uint8Array {
  return packr.pack(message);
}

export type FromServer =
  | { readonly kind: 'message'; readonly message: ServerMessage }
  | { readonly kind: 'screen'; readonly header: ScreenHeader; readonly payload: Uint8Array };

/** Reads what a server sent. Throws `TypeError` for bytes that no server of this protocol sends. */
export function decodeServerMessage(bytes: Uint8Array): FromServer {
  if (bytes[0] === SCREEN_PACKET_KIND) {
    const header = readScreenHeader(bytes);
    if (!header) throw new TypeError('not a screen packet');
    return { kind: 'screen', header, payload: bytes.subarray(SCREEN_HEADER_BYTES) };
  }
  const message: unknown = serverUnpackr.unpack(bytes);
  if (typeof message !== 'object' || message === null || !('type' in message)) throw new TypeError('not a message');
  return { kind: 'message', message: message as ServerMessage };
}
