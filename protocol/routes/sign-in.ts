import { Account } from '../account.ts';
import {
  DeviceAuthorization,
  DeviceAuthorizationRequest,
  OAuthExcess,
  OAuthFailure,
  OAuthTokens,
  RevocationRequest,
  TokenRequest,
} from '../oauth.ts';
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
    internal: true,
    credential: 'none',
    pages: 'own',
    body: jsonBody(SignInRequest, checkSignIn),
    answers: OPENED,
  },
  signInByLink: {
    ...post(`${ACCOUNT}/sign-in-links`, 'Sign in to the dashboard with a single-use link', 'again'),
    internal: true,
    credential: 'none',
    pages: 'own',
    body: jsonBody(LinkRequest, checkLink),
    answers: OPENED,
  },
  readInvitation: {
    ...post(`${ACCOUNT}/invitations/read`, 'Read the invitation of an invitation link', 'none'),
    internal: true,
    credential: 'none',
    pages: 'own',
    body: jsonBody(LinkRequest, checkLink),
    answers: { 200: { description: 'The invitation', schema: Invitation } },
  },
  acceptInvitation: {
    ...post(`${ACCOUNT}/invitations/accept`, 'Accept an invitation: choose a password and sign in', 'again'),
    internal: true,
    credential: 'none',
    pages: 'own',
    body: jsonBody(AcceptInvitation, checkAcceptInvitation),
    answers: OPENED,
  },
  oauthDevice: {
    ...post('/oauth/device_authorization', 'Start the device flow (RFC 8628)', 'again'),
    description: 'For a program without a browser. Show the user the code and the page, then poll the token endpoint.',
    credential: 'none',
    pages: 'none',
    body: { kind: 'form', schema: DeviceAuthorizationRequest },
    answers: {
      200: { description: 'The codes, and the page that the user opens', schema: DeviceAuthorization },
      ...FAILURES,
    },
  },
  oauthToken: {
    ...post('/oauth/token', 'Exchange a device code or a refresh token for tokens (RFC 6749)', 'again'),
    description:
      'While the user has not decided, the answer is `authorization_pending`; after `slow_down`, wait 5 s longer ' +
      'between polls. A refresh token can be used once.',
    credential: 'none',
    pages: 'none',
    body: { kind: 'form', schema: TokenRequest },
    answers: { 200: { description: 'Tokens', schema: OAuthTokens }, ...FAILURES },
  },
  oauthRevoke: {
    ...post('/oauth/revoke', 'Revoke a token (RFC 7009)', 'again'),
    description: 'Answers 200 also for a token that is none.',
    credential: 'none',
    pages: 'none',
    body: { kind: 'form', schema: RevocationRequest },
    answers: { 200: OBJECT, 400: FAILURE, 429: FAILURES[429] },
  },
  oauthMetadata: {
    ...get('/.well-known/oauth-authorization-server', 'Read the addresses of the OAuth endpoints (RFC 8414)'),
    description: 'OAuth libraries find the endpoints here.',
    credential: 'none',
    answers: { 200: OBJECT },
  },
} as const satisfies Record<string, Route>;
