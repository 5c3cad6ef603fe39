/**
 * Every address of the REST facade. `{name}` stands for one segment.
 * Routes of `active` and `owned` scope act on a session, named by its platform and id.
 */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /**
   * Who may call it: anybody, a browser that shows the viewer (no key; a viewer token where there is something to see),
   * an account's key, an account's key on one of its sessions (also an ended one) or on one that is active, or whoever
   * has a signed reference.
   */
  readonly scope: 'public' | 'page' | 'account' | 'owned' | 'active' | 'reference';
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
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof ROUTES;

/** The control socket's sub-protocol (RFC 6455, section 1.9). */
export const CONTROL_SUBPROTOCOL = 'runcloud.v1';
