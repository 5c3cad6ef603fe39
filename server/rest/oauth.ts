import { DEVICE_GRANT, type ROUTES } from '@runcloud/protocol';
import { ServiceError } from '@runcloud/protocol/terms';
import { OAUTH_CLIENTS } from '../account/oauth-clients.ts';
import { OAuthError } from '../account/oauth-error.ts';
import type { IssuedTokens } from '../account/oauth-tokens.ts';
import type { AnswerTo, CallTo } from './call.ts';
import { readForm } from './form-body.ts';
import { json } from './reply.ts';
import type { Services } from './services.ts';

/** The OAuth endpoints of public clients: device flow (RFC 8628), refresh (RFC 6749), revocation (RFC 7009). */

const NO_CACHE = { Pragma: 'no-cache' };
/** One line of text that a page shows. */
const DEVICE_NAME = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,64}$/u;

type Name = 'oauthDevice' | 'oauthToken' | 'oauthRevoke';
/** A parameter that a route declares; `scope` is declared by none, and refused. */
type Parameter = KeysOf<(typeof ROUTES)[Name]['body']['schema']['properties']> | 'scope';
type KeysOf<Fields> = Fields extends unknown ? keyof Fields : never;
type Form = ReadonlyMap<Parameter, string>;

/** Errors of these endpoints have the form of RFC 6749, section 5.2. */
const endpoint =
  <N extends Name>(run: (form: Form, services: Services, call: CallTo<N>) => AnswerTo<N>) =>
  (call: CallTo<N>, services: Services) => {
    try {
      return run(readForm(call.head, call.body) as Form, services, call);
    } catch (error) {
      if (error instanceof OAuthError) {
        const status = error.code === 'invalid_client' ? 401 : 400;
        return json(status, { error: error.code, error_description: error.message }, NO_CACHE);
      }
      if (!(error instanceof ServiceError) || error.code !== 'rate_limited') throw error;
      const wait = { 'Retry-After': String(error.retryAfterSeconds ?? 1) };
      return json(429, { error: 'slow_down', error_description: error.message }, { ...NO_CACHE, ...wait });
    }
  };

export const oauthDevice = endpoint<'oauthDevice'>((form, { account, ownOrigin }, whence) => {
  const clientId = clientOf(form);
  if (form.has('scope')) throw new OAuthError('invalid_scope', 'There are no scopes; leave the parameter out.');
  const deviceName = form.get('device_name');
  if (deviceName !== undefined && !DEVICE_NAME.test(deviceName)) {
    throw new OAuthError('invalid_request', 'device_name must be 1 to 64 characters in one line.');
  }
  const { deviceCode, userCode, lifeMs, intervalMs } = account.devices.begin(clientId, deviceName, whence);
  const page = `${ownOrigin()}/dashboard/device`;
  const answer = {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${userCode}`,
    expires_in: lifeMs / 1_000,
    interval: intervalMs / 1_000,
  };
  return json(200, answer, NO_CACHE);
});

export const oauthToken = endpoint<'oauthToken'>((form, { account }) => {
  const grantType = required(form, 'grant_type');
  if (grantType === DEVICE_GRANT) {
    const clientId = clientOf(form);
    return tokens(account.devices.poll(required(form, 'device_code'), clientId));
  }
  if (grantType === 'refresh_token') {
    const clientId = clientOf(form);
    return tokens(account.tokens.refresh(required(form, 'refresh_token'), clientId));
  }
  throw new OAuthError('unsupported_grant_type', 'The grant types are device_code and refresh_token.');
});

/** Also a token that is none is answered by 200 (RFC 7009, section 2.2). */
export const oauthRevoke = endpoint<'oauthRevoke'>((form, { account }) => {
  account.tokens.giveBack(required(form, 'token'));
  return json(200, {}, NO_CACHE);
});

/** RFC 8414. */
export function oauthMetadata(ownOrigin: string): object {
  return {
    issuer: ownOrigin,
    device_authorization_endpoint: `${ownOrigin}/oauth/device_authorization`,
    token_endpoint: `${ownOrigin}/oauth/token`,
    revocation_endpoint: `${ownOrigin}/oauth/revoke`,
    grant_types_supported: [DEVICE_GRANT, 'refresh_token'],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
  };
}

function tokens({ accessToken, refreshToken, accessLifeMs }: IssuedTokens) {
  const answer = {
    access_token: accessToken,
    token_type: 'Bearer' as const,
    expires_in: accessLifeMs / 1_000,
    refresh_token: refreshToken,
  };
  return json(200, answer, NO_CACHE);
}

function required(form: Form, name: Parameter): string {
  const value = form.get(name);
  if (value === undefined) throw new OAuthError('invalid_request', `The parameter ${name} is missing.`);
  return value;
}

function clientOf(form: Form): string {
  const clientId = required(form, 'client_id');
  if (!OAUTH_CLIENTS.has(clientId)) {
    throw new OAuthError('invalid_client', `client_id must be one of ${[...OAUTH_CLIENTS.keys()].join(', ')}.`);
  }
  return clientId;
}
