import type { ServerMessage } from '@runcloud/protocol';
import { Packr, Unpackr } from 'msgpackr';
import {
  readScreenHeader,
  SCREEN_HEADER_BYTES,
  SCREEN_PACKET_KIND,
  type ScreenHeader,
} from '../../protocol/screen-packet.ts';

/** The codec of the control socket for clients; it compiles no code, which a page's Content-Security-Policy may forbid. */

const PLAIN = { useRecords: false, mapsAsObjects: true, structuredClone: false, variableMapSize: true } as const;
const ENCODER = { ...PLAIN, useBigIntExtension: false, skipValues: [undefined] };
const packr = new Packr(ENCODER);
const unpackr = new Unpackr({ ...PLAIN, int64AsType: 'number' });

export type Received =
  | { readonly kind: 'message'; readonly message: ServerMessage }
  | { readonly kind: 'screen'; readonly header: ScreenHeader; readonly payload: Uint8Array<ArrayBuffer> }
  /** Ignored: from a newer server, or damaged. */
  | { readonly kind: 'unknown' };

/** A plain map; fields that are `undefined` are left out. */
export function encodeMessage(message: Readonly<Record<string, unknown>>): Uint8Array<ArrayBuffer> {
  // The encoder reuses one buffer, and a socket may still be reading it: the copy is the socket's own.
  return new Uint8Array(packr.pack(message));
}

export function decodeMessage(bytes: Uint8Array<ArrayBuffer>): Received {
  if (bytes[0] === SCREEN_PACKET_KIND) {
    const header = readScreenHeader(bytes);
    return header ? { kind: 'screen', header, payload: bytes.subarray(SCREEN_HEADER_BYTES) } : { kind: 'unknown' };
  }
  try {
    const message: unknown = unpackr.unpack(bytes);
    if (typeof message === 'object' && message !== null && 'type' in message) {
      return { kind: 'message', message: message as ServerMessage };
    }
  } catch {
    // Damaged bytes are ignored.
  }
  return { kind: 'unknown' };
}
