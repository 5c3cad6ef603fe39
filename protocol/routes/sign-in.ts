import { Account } from '../account.ts';
import { DeviceAuthorization, OAuthExcess, OAuthFailure, OAuthTokens } from '../oauth.ts';
import {
  AcceptInvitation,
  checkAcceptInvitation,
  checkLink,
  checkSignIn,
  Invitation,
  LinkRequest,
  SignInRequest,
} from '../sign-in.ts';
import { get, jsonBody, post } from './parts.ts';
import type { Route } from './route.ts';

const ACCOUNT = '/service/account';
const OPENED = { 200: { description: 'The account; the dashboard cookie is set', schema: Account } } as const;
const OBJECT = { description: 'A JSON object', mediaType: 'application/json' } as const;
const FAILURE = { description: 'An OAuth error', schema: OAuthFailure } as const;
const FAILURES = {
  400: FAILURE,
  401: { ...FAILURE, description: 'Unknown client' },
  429: { description: 'Too many requests; retry after Retry-After seconds', schema: OAuthExcess },
} as const;

/** Routes that give browsers and programs a credential. */
export const SIGN_IN_ROUTES = {
  signIn: {
    ...post(`${ACCOUNT}/sign-in`, 'Sign in to the dashboard with e-mail and password', 'again'),
    credential: 'none',
    pages: 'own',
    body: jsonBody(SignInRequest, checkSignIn),
    answers: OPENED,
  },
  signInByLink: {
    ...post(`${ACCOUNT}/sign-in-links`, 'Sign in to the dashboard with a single-use link', 'again'),
    credential: 'none',
    pages: 'own',
    body: jsonBody(LinkRequest, checkLink),
    answers: OPENED,
  },
  readInvitation: {
    ...post(`${ACCOUNT}/invitations/read`, 'Read the invitation of an invitation link', 'none'),
    credential: 'none',
    pages: 'own',
    body: jsonBody(LinkRequest, checkLink),
    answers: { 200: { description: 'The invitation', schema: Invitation } },
  },
  acceptInvitation: {
    ...post(`${ACCOUNT}/invitations/accept`, 'Accept an invitation: choose a password and sign in', 'again'),
    credential: 'none',
    pages: 'own',
    body: jsonBody(AcceptInvitation, checkAcceptInvitation),
    answers: OPENED,
  },
  oauthDevice: {
    ...post('/oauth/device_authorization', 'Start the device flow (RFC 8628)', 'again'),
    credential: 'none',
    pages: 'none',
    body: { kind: 'form', fields: ['client_id', 'device_name'] },
    answers: {
      200: { description: 'The codes, and the page that the user opens', schema: DeviceAuthorization },
      ...FAILURES,
    },
  },
  oauthToken: {
    ...post('/oauth/token', 'Exchange a device code or a refresh token for tokens (RFC 6749)', 'again'),
    credential: 'none',
    pages: 'none',
    body: { kind: 'form', fields: ['grant_type', 'client_id', 'device_code', 'refresh_token'] },
    answers: { 200: { description: 'Tokens', schema: OAuthTokens }, ...FAILURES },
  },
  oauthRevoke: {
    ...post('/oauth/revoke', 'Revoke a token (RFC 7009)', 'again'),
    credential: 'none',
    pages: 'none',
    body: { kind: 'form', fields: ['token', 'token_type_hint'] },
    answers: { 200: OBJECT, 400: FAILURE, 429: FAILURES[429] },
  },
  oauthMetadata: {
    ...get('/.well-known/oauth-authorization-server', 'Read the addresses of the OAuth endpoints (RFC 8414)'),
    credential: 'none',
    answers: { 200: OBJECT },
  },
} as const satisfies Record<string, Route>;
