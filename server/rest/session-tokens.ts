import type { RouteName } from '@runcloud/protocol';
import { ServiceError } from '@runcloud/protocol/terms';
import type { Principal } from '../account/authenticator.ts';
import type { ViewerClaims, ViewerRole } from '../account/viewer-tokens.ts';
import type { Params } from './router.ts';

/** The routes that a token for one session may use, and the role that it needs. */
const ROLE_OF: Partial<Record<RouteName, ViewerRole>> = {
  ui: 'view',
  checkUi: 'view',
  waitUi: 'view',
  screenshot: 'view',
  interact: 'control',
  readInteraction: 'control',
  openUrl: 'control',
};

/** Throws a `ServiceError` for what a token does not open. */
export function checkScope({ sessionId, role }: ViewerClaims, name: RouteName, params: Params): void {
  const needed = ROLE_OF[name];
  if (needed === undefined) throw new ServiceError('not_found');
  if (params.sessionId !== sessionId) throw new ServiceError('session_not_found');
  if (needed === 'control' && role !== 'control') throw new ServiceError('control_role_required');
}

/** Who acts by a token. */
export const principalOf = (token: ViewerClaims): Principal => ({
  accountId: token.accountId,
  organizationId: '',
  accountName: '',
  keyId: token.linkId ?? token.sessionId,
  expiresAtMs: token.expiresAtMs,
  token,
});
