import type { RouteRole, SessionRecord } from '@runcloud/protocol';
import { type Platform, ServiceError } from '@runcloud/protocol/terms';
import { LOCAL_ACCOUNT } from '../account/accounts.ts';
import type { Principal } from '../account/authenticator.ts';
import type { RequestIds } from '../interaction/acknowledge.ts';
import type { LiveSession } from '../session/live-session.ts';
import type { Params } from './router.ts';
import type { Services } from './services.ts';

export interface Asked {
  readonly owner: Principal;
  readonly params: Params;
  readonly named: { -readonly [Field in keyof RequestIds]: RequestIds[Field] };
}

/** The check of each role: returns the session of the call, if any, or throws. */
export const ROLES = {
  account: () => undefined,
  /** Other accounts get `not_found`. */
  operator: ({ owner }, { account }) => {
    if (account.describe(owner).name !== LOCAL_ACCOUNT) throw new ServiceError('not_found');
    return undefined;
  },
  session: ({ owner, params: { platform, sessionId = '' } }, { registry }) => {
    const record = registry.read(owner, sessionId);
    if (platform !== undefined && record.platform !== platform) throw new ServiceError('session_not_found');
    return record;
  },
  /** Without a platform in the path, an unknown session and an ended one have different codes. */
  activeSession: ({ owner, params: { platform, sessionId = '' } }, { registry }) =>
    registry.active(owner, (platform ?? registry.read(owner, sessionId).platform) as Platform, sessionId),
  leasedSession: ({ owner, params: { platform, sessionId = '' }, named }, { registry }) => {
    const { deviceId, leaseId, session } = registry.leased(owner, platform as Platform, sessionId);
    named.device = deviceId;
    named.leaseId = leaseId;
    if (!session) throw new ServiceError('simulator_session_ended');
    return session;
  },
} satisfies Record<RouteRole, (asked: Asked, services: Services) => LiveSession | SessionRecord | undefined>;
