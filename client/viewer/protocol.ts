/**
 * What the page needs of the contract at run time. The contract's index also brings its validators, which compile code:
 * the page's Content-Security-Policy forbids that. Types come from the index, values from the files that hold no schema.
 */
export { CLOSE } from '../../protocol/close-codes.ts';
export { KEY_TEXT, KEYS, LOCK_KEYS } from '../../protocol/keys.ts';
export { LIMITS } from '../../protocol/limits.ts';
export { CAPABILITIES } from '../../protocol/platforms.ts';
export {
  readScreenHeader,
  SCREEN_HEADER_BYTES,
  SCREEN_PACKET_KIND,
  type ScreenEncoding,
  type ScreenHeader,
} from '../../protocol/screen-packet.ts';

import type { ServerMessage } from '@runcloud/protocol';

/** One message of the server, by its type. */
export type FromServer<Type extends ServerMessage['type']> = Extract<ServerMessage, { type: Type }>;
export type Ready = FromServer<'ready'>;
