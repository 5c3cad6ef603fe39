import { ServiceError } from '@runcloud/protocol/terms';
import type { Store } from '../store/store.ts';
import type { Principal } from './authenticator.ts';

/** Who asks; without `keyId`, the operator. */
export interface AskingCredential {
  readonly keyId?: Principal['keyId'] | undefined;
  readonly kind?: Principal['kind'] | undefined;
}

/**
 * Throws `authentication_required` if the credential that asks is not valid any more. Call it within the transaction of what it asks
 * for: that is not kept if another edge ends the credential meanwhile. Otherwise a thief could make another credential at an edge that has not
 * heard of the revocation.
 */
export function holdLive(
  { keys, tokens, signIns }: Pick<Store, 'keys' | 'tokens' | 'signIns'>,
  { keyId, kind }: AskingCredential,
  nowMs: number,
): void {
  if (keyId === undefined) return;
  const isLive =
    kind === 'dashboard'
      ? signIns.holdLive(keyId, nowMs)
      : kind === 'token'
        ? tokens.holdLive(keyId)
        : keys.holdLive(keyId);
  if (!isLive) throw new ServiceError('authentication_required');
}
