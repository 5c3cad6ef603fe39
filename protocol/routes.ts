/**
 * Every address of the REST facade. `{name}` stands for one segment.
 * Routes of `active` and `owned` scope act on a session, named by its platform and id.
 */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /**
   * Who may call it: anybody, a browser that shows a page (no key; a viewer token where there is something to see),
   * an account's key, an account's key on one of its sessions (also an ended one) or on one that is active, whoever has a
   * signed reference, or whoever is about to get a credential.
   */
  readonly scope: 'public' | 'page' | 'account' | 'owned' | 'active' | 'reference' | 'sign-in';
  readonly summary: string;
}

const route = (method: Route['method'], path: string, scope: Route['scope'], summary: string): Route => ({
  method,
  path,
  scope,
  summary,
});

const SESSION = '/service/{platform}/{sessionId}';
const RECORDINGS = `${SESSION}/recordings`;
const ASSETS = '/service/assets';
const ACCOUNT = '/service/account';
const VIEWER_LINKS = '/service/sessions/{sessionId}/viewer-links';

export const ROUTES = {
  health: route('GET', '/healthz', 'public', 'Whether the process lives'),
  ready: route('GET', '/readyz', 'public', 'Whether the service takes new work'),
  metrics: route('GET', '/metrics', 'public', 'Prometheus metrics'),
  openapi: route('GET', '/openapi.json', 'public', 'This document'),
  createSession: route('POST', '/service/sessions', 'account', 'Create a session; answers when the device is usable'),
  listSessions: route('GET', '/service/sessions', 'account', 'List sessions, newest first'),
  getSession: route('GET', '/service/sessions/{sessionId}', 'account', 'Read a session, also after its end'),
  deleteSession: route('DELETE', '/service/sessions/{sessionId}', 'account', 'Release a session'),
  createViewerLink: route('POST', VIEWER_LINKS, 'account', 'Make a link that shows, or controls, an active session'),
  listViewerLinks: route('GET', VIEWER_LINKS, 'account', "List a session's live viewer links, newest first"),
  revokeViewerLink: route('DELETE', `${VIEWER_LINKS}/{linkId}`, 'account', 'Revoke a viewer link; its sockets close'),
  uploadAsset: route('POST', ASSETS, 'account', 'Upload an app: .apk, .ipa or a zipped .app'),
  listAssets: route('GET', ASSETS, 'account', 'List uploaded apps, newest first'),
  getAsset: route('GET', `${ASSETS}/{assetId}`, 'account', 'Read an uploaded app'),
  deleteAsset: route('DELETE', `${ASSETS}/{assetId}`, 'account', 'Delete an uploaded app that no live session has'),
  viewerPage: route('GET', '/view/{sessionId}', 'page', "The viewer page, at a session's url"),
  viewerFile: route('GET', '/viewer/{file}', 'page', 'Script and style of the viewer page and of pages that embed it'),
  control: route('GET', `${SESSION}/control`, 'active', 'The control socket (WebSocket, sub-protocol runcloud.v1)'),
  interact: route('POST', `${SESSION}/interactions`, 'active', 'Carry out one interaction'),
  cancelInteraction: route('DELETE', `${SESSION}/interactions/{requestId}`, 'active', 'Cancel an interaction'),
  openUrl: route(
    'POST',
    `${SESSION}/open-url`,
    'active',
    'Open a URL, in the browser or in the app that it belongs to',
  ),
  screenshot: route('GET', `${SESSION}/screenshot`, 'active', 'The current display as a PNG'),
  startRecording: route('POST', RECORDINGS, 'active', 'Start a recording of the display'),
  listRecordings: route('GET', RECORDINGS, 'owned', "List a session's recordings, newest first"),
  getRecording: route('GET', `${RECORDINGS}/{recordingId}`, 'owned', 'Read a recording with its lifecycle events'),
  stopRecording: route('POST', `${RECORDINGS}/{recordingId}/stop`, 'owned', 'Stop a recording; repeated: the same'),
  downloadRecording: route(
    'GET',
    `${RECORDINGS}/{recordingId}/download`,
    'owned',
    'Verify the file, then redirect to it',
  ),
  retrieveRecording: route('GET', '/retrieve/{recordingId}', 'reference', 'The file, for whoever has its reference'),
  thumbnail: route('GET', '/service/sessions/{sessionId}/thumbnail', 'account', "A small JPEG of a session's display"),
  signIn: route('POST', `${ACCOUNT}/sign-in`, 'sign-in', 'Sign in to the dashboard by e-mail and password'),
  signInByLink: route('POST', `${ACCOUNT}/sign-in-links`, 'sign-in', 'Sign in to the dashboard by a single-use link'),
  readInvitation: route('POST', `${ACCOUNT}/invitations/read`, 'sign-in', 'Whom an invitation is for'),
  acceptInvitation: route('POST', `${ACCOUNT}/invitations/accept`, 'sign-in', 'Choose a password and sign in'),
  signOut: route('POST', `${ACCOUNT}/sign-out`, 'account', 'Sign out of the dashboard'),
  getAccount: route('GET', ACCOUNT, 'account', 'The account that the credential acts as'),
  setPassword: route('POST', `${ACCOUNT}/password`, 'account', 'Choose an e-mail address and a password'),
  createKey: route('POST', `${ACCOUNT}/keys`, 'account', 'Make an API key; it is shown this once'),
  listKeys: route('GET', `${ACCOUNT}/keys`, 'account', 'List the API keys that are not revoked, newest first'),
  revokeKey: route('DELETE', `${ACCOUNT}/keys/{keyId}`, 'account', 'Revoke an API key; its sockets close'),
  revokeAll: route('POST', `${ACCOUNT}/revocations`, 'account', 'Revoke all that opens the account; sockets close'),
  listTokens: route('GET', `${ACCOUNT}/tokens`, 'account', 'List the programs that were let in, newest first'),
  revokeToken: route('DELETE', `${ACCOUNT}/tokens/{tokenId}`, 'account', 'Shut a program out; its sockets close'),
  usage: route('GET', `${ACCOUNT}/usage`, 'account', 'Sessions, minutes and recordings of the last days'),
  readDeviceRequest: route('GET', `${ACCOUNT}/device-requests/{userCode}`, 'account', 'What asks to be let in'),
  decideDeviceRequest: route('POST', `${ACCOUNT}/device-requests/{userCode}`, 'account', 'Let it in, or not'),
  doctor: route('GET', '/service/doctor', 'account', "What the host offers and lacks; for the operator's account"),
  oauthDevice: route('POST', '/oauth/device_authorization', 'sign-in', 'Begin the device flow (RFC 8628)'),
  oauthToken: route('POST', '/oauth/token', 'sign-in', 'Tokens for a device code or a refresh token (RFC 6749)'),
  oauthRevoke: route('POST', '/oauth/revoke', 'sign-in', 'Give a token back (RFC 7009)'),
  oauthMetadata: route('GET', '/.well-known/oauth-authorization-server', 'public', 'Where OAuth finds what (RFC 8414)'),
  dashboardPage: route('GET', '/dashboard', 'page', 'The dashboard'),
  dashboardSubpage: route('GET', '/dashboard/{page}', 'page', 'A page of the dashboard'),
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof ROUTES;

/** The control socket's sub-protocol (RFC 6455, section 1.9). */
export const CONTROL_SUBPROTOCOL = 'runcloud.v1';
