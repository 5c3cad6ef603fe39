import type { Role } from '@runcloud/protocol';
import { LIMITS } from '@runcloud/protocol/terms';

/** Maximum message size of a socket; smaller for the role `view`, whose messages are short and whose sockets may be many. */
export const messageBytesMax = (role: Role): number =>
  role === 'view' ? LIMITS.viewMessageBytes : LIMITS.clientMessageBytes;
