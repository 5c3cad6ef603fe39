import type { Role } from '@runcloud/protocol';
import { LIMITS } from '@runcloud/protocol/terms';

/** The longest message of a socket: guests who only look say little, and may be many. */
export const messageBytesMax = (role: Role): number =>
  role === 'view' ? LIMITS.viewMessageBytes : LIMITS.clientMessageBytes;
