import { ERRORS, type ErrorCode, ROUTES, type Route, type RouteName } from '@runcloud/protocol';
import { UPGRADE_HEADERS } from './frames.ts';
import { solidPng } from './ios-package.ts';
import type { Caller, Ids } from './tenants.ts';
import { exchange, requestText } from './wire.ts';

/** How a call ends. */
export interface Outcome {
  readonly status: number;
  /** Of a failure; also that of WebDriver, OAuth or a tool. */
  readonly code?: string;
}

/** A call of one route. */
export interface TenantAsk {
  readonly body?: (ids: Ids, caller: Caller) => unknown;
  readonly form?: Readonly<Record<string, string>>;
  readonly bytes?: Uint8Array;
  readonly query?: (ids: Ids) => string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Parameters of the path that are not ids of the same name. */
  readonly params?: (ids: Ids) => Readonly<Record<string, string>>;
  /** What the route's facts do not tell. */
  readonly outcomes?: Partial<Record<Caller['kind'], Outcome>>;
  /** Everybody gets this one. */
  readonly forAll?: Outcome;
  /** The page's own origin is wanted of who asks. */
  readonly ownPage?: true;
}

const DONE: Outcome = { status: 200 };
const refused = (code: ErrorCode): Outcome => ({ status: ERRORS[code].http, code });
const oauth = (code: string, status = 400) => ({ status, code });
const NO_SESSION: Outcome = { status: 404, code: 'invalid session id' };
const AGENT = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
const look = (args: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'look', arguments: args },
});
const PASSWORD = 'correct horse battery';
const attached = (id: string, rest: string) => ({ command: `session/attached-${id}${rest}` });
const PAGE: TenantAsk = { forAll: DONE, headers: { Accept: 'text/html' } };
const PLAIN: readonly TenantAsk[] = [{}];
const PUBLIC: readonly TenantAsk[] = [{ forAll: DONE }];
const TAP = { action: 'tap', x: 0.5, y: 0.5 };
const png = solidPng(8, '#c00000');
const TARGET = { target: { role: 'button' } };

/** @param content a package of an app */
export const tenantAsks = (content: Uint8Array): Record<RouteName, readonly TenantAsk[]> => ({
  health: PUBLIC,
  ready: PUBLIC,
  metrics: PUBLIC,
  openapi: PUBLIC,
  viewerPage: PLAIN,
  viewerFile: [{ forAll: DONE, params: () => ({ file: 'notice.css' }) }],
  reference: PUBLIC,
  home: [PAGE],
  dashboardPage: [PAGE],
  dashboardSubpage: [{ ...PAGE, params: () => ({ page: 'keys' }) }],
  dashboardItem: [{ ...PAGE, params: ({ sessionId }) => ({ page: 'sessions', item: sessionId }) }],
  createSession: [{ body: () => ({ platform: 'ios' }) }],
  listSessions: PLAIN,
  getSession: PLAIN,
  deleteSession: PLAIN,
  thumbnail: PLAIN,
  createViewerLink: [{ body: () => ({ role: 'view' }) }],
  listViewerLinks: PLAIN,
  revokeViewerLink: PLAIN,
  uploadAsset: [{ bytes: content }],
  listAssets: PLAIN,
  getAsset: PLAIN,
  deleteAsset: PLAIN,
  createSnapshot: [{ body: ({ snapshotName }) => ({ name: `${snapshotName}-2` }) }],
  listSnapshots: PLAIN,
  getSnapshot: PLAIN,
  deleteSnapshot: PLAIN,
  control: PLAIN,
  askControl: [{ body: () => ({ step: 'take' }) }],
  releaseControl: PLAIN,
  interact: [
    { body: () => TAP },
    // The owner gets what this one ended with; to others it is no request.
    { body: ({ requestId }) => ({ ...TAP, requestId }), outcomes: { owner: refused('duplicate_request') } },
  ],
  cancelInteraction: PLAIN,
  readInteraction: PLAIN,
  history: PLAIN,
  openUrl: [{ body: () => ({ url: 'https://asked.example' }) }],
  readClipboard: PLAIN,
  writeClipboard: [{ body: () => ({ text: 'asked' }) }],
  addMedia: [{ bytes: png }],
  logs: PLAIN,
  screenshot: PLAIN,
  ui: PLAIN,
  checkUi: [{ body: () => TARGET }],
  waitUi: [{ body: () => ({ target: { text: 'nowhere' }, not: true }) }],
  listFiles: PLAIN,
  pullFile: [{ query: (ids) => `path=${fileOf(ids)}` }],
  pushFile: [{ query: () => 'path=asked', bytes: Buffer.from('asked') }],
  deleteFile: [{ query: (ids) => `path=${fileOf(ids).replace('-file-', '-spare-')}` }],
  mcp: [
    {
      headers: AGENT,
      body: ({ sessionId }) => look({ session: sessionId }),
      outcomes: {
        owner: DONE,
        key: { status: 200, code: 'session_not_found' },
        // A token names no session: it acts in its own.
        token: { status: 200, code: 'invalid_request' },
        ended: { status: 200, code: 'invalid_request' },
        watcher: { status: 200, code: 'invalid_request' },
      },
    },
    {
      headers: AGENT,
      body: () => look({}),
      outcomes: {
        owner: { status: 200, code: 'invalid_request' },
        key: { status: 200, code: 'invalid_request' },
        token: DONE,
        ended: { status: 200, code: 'active_session_not_found' },
        watcher: DONE,
      },
    },
  ],
  readWebDriver: [{ params: ({ sessionId }) => attached(sessionId, '/source'), outcomes: { key: NO_SESSION } }],
  postWebDriver: [
    {
      params: ({ sessionId }) => attached(sessionId, '/element'),
      body: () => ({ using: 'xpath', value: '//*' }),
      outcomes: { key: NO_SESSION },
    },
  ],
  deleteWebDriver: [{ params: ({ sessionId }) => attached(sessionId, ''), outcomes: { key: NO_SESSION } }],
  startRecording: PLAIN,
  listRecordings: PLAIN,
  getRecording: PLAIN,
  stopRecording: [{ params: ({ siblingId, runningId }) => ({ sessionId: siblingId, recordingId: runningId }) }],
  downloadRecording: PLAIN,
  recordingPoster: PLAIN,
  recordingHistory: PLAIN,
  retrieveRecording: PLAIN,
  signIn: [
    {
      // Each has tries of their own.
      body: (_ids, { address }) => ({ email: `nobody@${address}.example`, password: PASSWORD }),
      ownPage: true,
      forAll: refused('sign_in_failed'),
    },
  ],
  signInByLink: [{ body: () => ({ token: 'none' }), ownPage: true, forAll: refused('sign_in_link_invalid') }],
  readInvitation: [{ body: () => ({ token: 'none' }), ownPage: true, forAll: refused('sign_in_link_invalid') }],
  acceptInvitation: [
    { body: () => ({ token: 'none', password: PASSWORD }), ownPage: true, forAll: refused('sign_in_link_invalid') },
  ],
  oauthDevice: [{ form: { client_id: 'nobody' }, forAll: oauth('invalid_client', 401) }],
  oauthToken: [
    {
      form: { client_id: 'runcloud-cli', grant_type: 'refresh_token', refresh_token: 'none' },
      forAll: oauth('invalid_grant'),
    },
  ],
  oauthRevoke: [{ form: { token: 'none' }, forAll: DONE }],
  oauthMetadata: PUBLIC,
  signOut: PLAIN,
  getAccount: PLAIN,
  setPassword: [
    {
      body: () => ({ email: 'asked@b.example', password: PASSWORD }),
      outcomes: { owner: refused('fresh_sign_in_required'), key: refused('fresh_sign_in_required') },
    },
  ],
  createKey: [{ body: () => ({ name: 'asked' }) }],
  listKeys: PLAIN,
  revokeKey: [{}, { query: () => 'minted=true' }],
  revokeAll: [{ body: () => ({}) }],
  listTokens: PLAIN,
  revokeToken: PLAIN,
  usage: PLAIN,
  // The owner has decided on it: to others it is no code.
  readDeviceRequest: [{ outcomes: { owner: refused('device_request_not_found') } }],
  decideDeviceRequest: [{ body: () => ({ decision: 'approve' }) }],
  doctor: PLAIN,
  listHosts: PLAIN,
});

const fileOf = ({ snapshotName }: Ids): string => snapshotName.replace('-snapshot-', '-file-');

/** The error of an id that names nothing, by the parameter of the path that is looked up last. */
const UNKNOWN: readonly (readonly [string, ErrorCode])[] = [
  ['userCode', 'device_request_not_found'],
  ['tokenId', 'token_not_found'],
  ['keyId', 'key_not_found'],
  ['snapshotName', 'snapshot_not_found'],
  ['assetId', 'asset_not_found'],
];

/** How a call of a route ends for who asks: by the route's own facts, and by its row. */
export function outcomeFor(route: Route, { forAll, outcomes }: TenantAsk, caller: Caller): Outcome {
  const { kind, name } = caller;
  if (forAll) return forAll;
  const own = outcomes?.[kind];
  if (own) return own;
  const { credential, role, path, answers, failures } = route;
  const sees = kind === 'owner' || kind === 'watcher';
  if (credential === 'viewerToken') return { status: sees ? 200 : 401 };
  if (credential === 'reference') return kind === 'owner' ? DONE : refused('retrieval_reference_invalid');
  if (credential === 'keyOrViewerToken' && sees) return { status: 101 };
  if (kind !== 'owner' && kind !== 'key') {
    return failures === 'webDriver' ? { status: 401, code: 'unknown error' } : refused('authentication_required');
  }
  const isOperator = name.startsWith("the operator's");
  if (role === 'operator' && !isOperator) return refused('not_found');
  if (kind === 'owner' || role === 'operator') return doneBy(answers);
  if (role === 'session') return refused('session_not_found');
  if (role === 'activeSession' || role === 'leasedSession') {
    return refused(path.includes('{platform}') ? 'active_session_not_found' : 'session_not_found');
  }
  const [, code] = UNKNOWN.find(([parameter]) => path.includes(`{${parameter}}`)) ?? [];
  return code ? refused(code) : doneBy(answers);
}

const doneBy = (answers: Route['answers']): Outcome => ({
  status: [201, 302].find((status) => status in answers) ?? 200,
});

/** An answer as it came. */
export interface TenantAnswer extends Outcome {
  /** Of the request, all that the caller has told. */
  readonly sent: string;
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** Asks as somebody. */
export async function askAs(
  url: string,
  name: RouteName,
  ask: TenantAsk,
  caller: Caller,
  ids: Ids,
): Promise<TenantAnswer> {
  const { method, path, credential, deep }: Route = ROUTES[name];
  const values: Readonly<Record<string, string>> = { platform: 'ios', ...ids, ...ask.params?.(ids) };
  const filled = path.replace(/\{(\w+)\}/g, (_, parameter: string) => {
    const value = values[parameter];
    if (value === undefined) throw new Error(`${name}: the path's {${parameter}} has no value`);
    return deep ? value : encodeURIComponent(value);
  });
  const query = [ask.query?.(ids), await secretOf(credential, caller)].filter(Boolean).join('&');
  const address = `${filled}${query === '' ? '' : `?${query}`}`;
  const isAddressed = credential === 'viewerToken' || (credential === 'keyOrViewerToken' && query !== '');
  const headers: Record<string, string> = {
    ...ask.headers,
    ...(caller.bearer !== undefined && !isAddressed && { Authorization: `Bearer ${caller.bearer}` }),
    ...((ask.ownPage || isAddressed) && { Origin: url, 'Sec-Fetch-Site': 'same-origin', 'X-RunCloud-Dashboard': '1' }),
    // As a proxy on the service's machine passes it on.
    ...(ask.ownPage && { 'X-Forwarded-For': caller.address }),
  };
  if (name === 'control') return upgradeAs(url, address, headers);
  const { body, type } = bodyOf(ask, ids, caller);
  if (type !== undefined) headers['Content-Type'] = type;
  const response = await fetch(`${url}${address}`, {
    method,
    headers,
    redirect: 'manual',
    ...(body !== undefined && { body: new Uint8Array(body) }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const code = codeOf(bytes);
  return {
    sent: `${address} ${JSON.stringify(headers)} ${body?.toString('latin1') ?? ''}`,
    status: response.status,
    ...(code !== undefined && { code }),
    headers: [...response.headers].map(([field, value]) => `${field}: ${value}`),
    body: bytes,
  };
}

/** The upgrade to the control socket. */
async function upgradeAs(
  url: string,
  address: string,
  headers: Readonly<Record<string, string>>,
): Promise<TenantAnswer> {
  const answer = await exchange(url, requestText(`GET ${address}`, { ...UPGRADE_HEADERS, ...headers }));
  if (!answer) throw new Error(`${address}: no answer`);
  const code = codeOf(answer.body);
  return {
    sent: `${address} ${JSON.stringify(headers)}`,
    status: answer.status,
    ...(code !== undefined && { code }),
    headers: [...answer.headers].map(([field, value]) => `${field}: ${value}`),
    body: answer.body,
  };
}

/** The caller's credential as a part of the address, where the route takes one there. */
async function secretOf(
  credential: Route['credential'],
  { kind, token, reference }: Caller,
): Promise<string | undefined> {
  const isKey = kind === 'owner' || kind === 'key';
  if (credential === 'viewerToken' || (credential === 'keyOrViewerToken' && !isKey)) return named('token', token);
  return credential === 'reference' ? named('reference', reference ? await reference() : token) : undefined;
}

const named = (parameter: string, value: string | undefined): string | undefined =>
  value === undefined ? undefined : `${parameter}=${encodeURIComponent(value)}`;

function bodyOf(
  { body, form, bytes }: TenantAsk,
  ids: Ids,
  caller: Caller,
): { readonly body?: Buffer; readonly type?: string } {
  if (bytes) return { body: Buffer.from(bytes) };
  if (form) return { body: Buffer.from(`${new URLSearchParams(form)}`), type: 'application/x-www-form-urlencoded' };
  return body ? { body: Buffer.from(JSON.stringify(body(ids, caller))), type: 'application/json' } : {};
}

/** The code of a failure, in each form that failures have. */
function codeOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] !== 0x7b) return undefined;
  const read = JSON.parse(Buffer.from(bytes).toString()) as {
    readonly error?: string | { readonly code: string };
    readonly value?: { readonly error?: string };
    readonly result?: { readonly isError?: boolean; readonly content?: readonly { readonly text: string }[] };
  };
  const { error, value, result } = read;
  if (result?.isError) return /^\w+/.exec(result.content?.[0]?.text ?? '')?.[0];
  return typeof error === 'string' ? error : (error?.code ?? value?.error ?? undefined);
}
