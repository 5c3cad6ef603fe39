import { Packr, Unpackr } from 'msgpackr';
import type { ServerMessage } from './messages/server.ts';
import { readScreenHeader, SCREEN_HEADER_BYTES, SCREEN_PACKET_KIND, type ScreenHeader } from './screen-packet.ts';

/** Bytes of the control socket <-> checked messages: plain MessagePack maps, readable by any library. */

/** The options of msgpackr for this format: plain maps, without records. */
export const PLAIN_MAPS = {
  useRecords: false,
  mapsAsObjects: true,
  structuredClone: false,
  variableMapSize: true,
} as const;
const ENCODER = { ...PLAIN_MAPS, useBigIntExtension: false } as const;
const packr = new Packr(ENCODER);
/** Callers write optional fields as `undefined`, which plain MessagePack does not have: such fields are left out. */
const CLIENT_ENCODER = { ...ENCODER, skipValues: [undefined] };
const clientPackr = new Packr(CLIENT_ENCODER);
const serverUnpackr = new Unpackr({ ...PLAIN_MAPS, int64AsType: 'number' });

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
