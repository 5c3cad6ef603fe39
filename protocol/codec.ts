import { Packr, Unpackr } from 'msgpackr';
import { LIMITS } from './limits.ts';
import { scanMessage } from './message-scan.ts';
import { type ClientMessageCheck, checkClientMessage } from './messages/client.ts';
import type { InteractionMessage } from './messages/interaction.ts';
import type { ServerMessage } from './messages/server.ts';
import { readScreenHeader, SCREEN_HEADER_BYTES, SCREEN_PACKET_KIND, type ScreenHeader } from './screen-packet.ts';
import { TapReader } from './tap-reader.ts';

/** Bytes of the control socket <-> checked messages: plain MessagePack maps, readable by any library. */

const PLAIN = { useRecords: false, mapsAsObjects: true, structuredClone: false, variableMapSize: true } as const;
const ENCODER = { ...PLAIN, useBigIntExtension: false } as const;
const packr = new Packr(ENCODER);
/** Callers write optional fields as `undefined`, which plain MessagePack does not have: such fields are left out. */
const CLIENT_ENCODER = { ...ENCODER, skipValues: [undefined] };
const clientPackr = new Packr(CLIENT_ENCODER);
const serverUnpackr = new Unpackr({ ...PLAIN, int64AsType: 'number' });

/** What the bytes of one client message are: a message, one to refuse, or bytes that end the connection. */
export type ClientMessageRead = ClientMessageCheck | { readonly kind: 'undecodable'; readonly reason: string };

/**
 * Reads client messages on the server. It copies each into one scratch buffer first: the socket's own memory is gone
 * after the callback, and decoding from a kept buffer is faster than from a fresh view.
 */
export class ClientMessageReader {
  readonly #scratch: Uint8Array;
  readonly #taps: TapReader;
  readonly #unpackr = new Unpackr({ ...PLAIN, int64AsType: 'number', copyBuffers: true });

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

export function encodeServerMessage(message: ServerMessage): Uint8Array {
  return packr.pack(message);
}

/** Encodes a message as a client sends it: a plain map. Nothing is checked; the server answers what it refuses. */
export function encodeClientMessage(message: Readonly<Record<string, unknown>>): Uint8Array {
  return clientPackr.pack(message);
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
  const message = unpackFromServer(bytes);
  if (typeof message !== 'object' || message === null || !('type' in message)) throw new TypeError('not a message');
  return { kind: 'message', message: message as ServerMessage };
}

function unpackFromServer(bytes: Uint8Array): unknown {
  try {
    return serverUnpackr.unpack(bytes);
  } catch {
    throw new TypeError('not MessagePack');
  }
}
