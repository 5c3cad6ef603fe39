/**
 * The values of the contract that the page needs at run time. Import them from here, and only types from the contract's
 * index: it also loads the validators, which compile code, and the page's Content-Security-Policy forbids that.
 */
export { CLOSE } from '../../protocol/close-codes.ts';
export { KEY_TEXT, KEYS, LOCK_KEYS } from '../../protocol/keys.ts';
export { LIMITS } from '../../protocol/limits.ts';
export { CAPABILITIES } from '../../protocol/platforms.ts';
export { releaseSentence } from '../../protocol/release-reasons.ts';
export {
  readScreenHeader,
  SCREEN_HEADER_BYTES,
  SCREEN_PACKET_KIND,
  type ScreenEncoding,
  type ScreenHeader,
} from '../../protocol/screen-packet.ts';
export { readTiles, type TileHead } from '../../protocol/screen-tiles.ts';

import type { ServerMessage } from '@runcloud/protocol';

/** One message of the server, by its type. */
export type FromServer<Type extends ServerMessage['type']> = Extract<ServerMessage, { type: Type }>;
export type Ready = FromServer<'ready'>;
