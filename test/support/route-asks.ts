import type {
  AssetRecord,
  CreatedKey,
  CreatedViewerLink,
  RecordingRecord,
  RouteName,
  SessionRecord,
} from '@runcloud/protocol';
import { Accounts } from '../../server/account/accounts.ts';
import { digestOf } from '../../server/account/api-key.ts';
import { systemClock } from '../../server/flow/clock.ts';
import type { Store } from '../../server/store/store.ts';
import { type Answered, type Ask, type Asked, answeredBy, DONE, isReady, isSignedIn, onStore } from './asks.ts';
import { ControlClient } from './control-client.ts';
import { DashboardClient, withLinks } from './dashboard-client.ts';
import { fileAsks } from './file-asks.ts';
import { iosPackage, solidPng } from './ios-package.ts';
import { RestClient } from './rest-client.ts';

const CLIENT = 'runcloud-cli';
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const ACCOUNT = '/service/account';
const PASSWORD = 'correct horse battery';

let prepared = 0;

/** Both media types must be accepted of a transport that may stream. */
async function askAgent(rest: RestClient): Promise<Answered> {
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
  return answeredBy(await rest.fetch('/mcp', { method: 'POST', headers, body }));
}

const FIND = { using: 'xpath', value: '//*' };

/** Every route, each change once, prepared while the storage is well. A route without a row does not compile. */
export async function prepareRoutes({
  rest,
  dataDir,
  accountId,
  userCodes,
}: Asked): Promise<Record<RouteName, readonly Ask[]>> {
  const { url } = rest;
  const number = ++prepared;
  const askBy =
    (client: RestClient) =>
    async (method: string, path: string, body?: unknown): Promise<Answered> => {
      const json = { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
      return answeredBy(await client.fetch(path, { method, redirect: 'manual', ...(body === undefined ? {} : json) }));
    };
  const ask = askBy(rest);
  const read = async (path: string): Promise<Answered> =>
    answeredBy(await fetch(`${url}${path}`, { redirect: 'manual' }));
  const made = async <T>(method: string, path: string, body?: unknown): Promise<T> =>
    (await ask(method, path, body)).body as T;
  const oauth = async (path: string, fields: Record<string, string>) =>
    answeredBy(await fetch(`${url}/oauth/${path}`, { method: 'POST', body: new URLSearchParams(fields) }));
  const upload = async () => {
    const body = new Uint8Array(await iosPackage());
    return answeredBy(await rest.fetch('/service/assets', { method: 'POST', body }));
  };
  const key = (name: string) => ask('POST', `${ACCOUNT}/keys`, { name });
  const decide = (code: unknown, decision: 'approve' | 'deny') =>
    ask('POST', `${ACCOUNT}/device-requests/${code}`, { decision });
  const begin = async () => {
    const answer = await oauth('device_authorization', { client_id: CLIENT });
    if (answer.status === 200) userCodes.push(String(answer.body.user_code));
    return answer;
  };
  for (const code of userCodes.splice(0)) await decide(code, 'deny');
  const letIn = async () => {
    const { body } = await oauth('device_authorization', { client_id: CLIENT });
    await decide(body.user_code, 'approve');
    return String(body.device_code);
  };
  const tokensOf = async (device_code: string) =>
    String((await oauth('token', { grant_type: DEVICE_GRANT, client_id: CLIENT, device_code })).body.refresh_token);
  const token = (store: Store, text: unknown) => store.tokens.find(digestOf(String(text)), 'refresh');
  const linkSecret = (path: string) => path.split('#')[1] ?? '';
  const invitation = (email: string) => withLinks(dataDir, (links) => linkSecret(links.invite(email).path));
  const page = (browser: DashboardClient, path: string, body?: unknown) => async () =>
    answeredBy(await browser.fetch('POST', `${ACCOUNT}/${path}`, body));
  const entered = async () => {
    const browser = new DashboardClient(url);
    await browser.enter(dataDir);
    return browser;
  };
  const cookieDigest = (browser: DashboardClient) => digestOf(browser.cookie.slice(browser.cookie.indexOf('=') + 1));

  const session = () => rest.createSession('ios');
  const links = ({ id }: SessionRecord) => `/service/sessions/${id}/viewer-links`;
  const recordings = ({ id }: SessionRecord) => `/service/ios/${id}/recordings`;
  const record = (of: SessionRecord) => made<RecordingRecord>('POST', recordings(of));
  const [kept, stopped, released, left] = [await session(), await session(), await session(), await session()];
  const device = `/service/ios/${kept.id}`;
  const attached = `/wd/session/attached-${kept.id}`;
  await ask('POST', `${device}/interactions`, { action: 'tap', x: 0.5, y: 0.5, requestId: 'asked' });
  const whole = await record(kept);
  await ask('POST', `${recordings(kept)}/${whole.id}/stop`);
  const running = await record(stopped);
  const leftRunning = await record(left);
  const revokedKey = await made<CreatedKey>('POST', `${ACCOUNT}/keys`, { name: 'revoked' });
  const root = await made<CreatedKey>('POST', `${ACCOUNT}/keys`, { name: 'root' });
  const minted = (await new RestClient(url, root.key).call<CreatedKey>('POST', `${ACCOUNT}/keys`, { name: 'minted' }))
    .body;
  const revokedLink = await made<CreatedViewerLink>('POST', links(kept), { role: 'view' });
  const deleted = (await upload()).body as unknown as AssetRecord;
  const there = (await upload()).body as unknown as AssetRecord;
  const snapshot = (name: string) => ask('POST', `${device}/snapshots`, { name });
  const [thereName, deletedName] = [`there-${number}`, `deleted-${number}`];
  await snapshot(thereName);
  await snapshot(deletedName);
  const { body: undecided } = await oauth('device_authorization', { client_id: CLIENT });
  const { body: waiting } = await begin();
  const approved = await letIn();
  const refreshed = await tokensOf(await letIn());
  const givenBack = await tokensOf(await letIn());
  const endedToken = await tokensOf(await letIn());
  const endedGrant = onStore(dataDir, (store) => token(store, endedToken)?.grantId ?? '');
  const secret = withLinks(dataDir, (made) => linkSecret(made.signIn('local').path));
  const guest = `guest-${number}@b.example`;
  const invited = invitation(guest);
  const [member, joining] = [`member-${number}@b.example`, new DashboardClient(url)];
  await joining.call('POST', `${ACCOUNT}/invitations/accept`, { token: invitation(member), password: PASSWORD });
  const [byLink, leaving, choosing, elsewhere] = [
    new DashboardClient(url),
    await entered(),
    new DashboardClient(url),
    new DashboardClient(url),
  ];
  const joinedCookie = cookieDigest(joining);
  const leavingCookie = cookieDigest(leaving);
  const { chooserId, lostKey } = onStore(dataDir, (store) => {
    const accounts = new Accounts(store, systemClock);
    return {
      chooserId: accounts.create(`chooser-${number}`).account.id,
      lostKey: accounts.create(`lost-${number}`).key,
    };
  });
  for (const browser of [choosing, elsewhere]) await browser.enter(dataDir, `chooser-${number}`);
  const chosen = `chooser-${number}@b.example`;
  const lost = askBy(new RestClient(url, lostKey));

  return {
    health: [{ name: 'health', ask: () => read('/healthz') }],
    ready: [{ name: 'ready', ask: () => read('/readyz') }],
    metrics: [{ name: 'metrics', ask: () => read('/metrics') }],
    openapi: [{ name: 'openapi', ask: () => read('/openapi.json') }],
    viewerPage: [{ name: 'viewer page', ask: async () => answeredBy(await fetch(kept.url)) }],
    viewerFile: [{ name: 'viewer file', ask: () => read('/viewer/notice.css') }],
    reference: [{ name: 'reference', ask: () => read('/docs') }],
    home: [{ name: 'home', ask: async () => answeredBy(await fetch(`${url}/`, { headers: { Accept: 'text/html' } })) }],
    dashboardPage: [{ name: 'dashboard', ask: () => read('/dashboard') }],
    dashboardSubpage: [{ name: 'page of the dashboard', ask: () => read('/dashboard/keys') }],
    dashboardItem: [{ name: 'page of a session', ask: () => read(`/dashboard/sessions/${kept.id}`) }],
    createSession: [
      {
        name: 'create a session',
        ask: () => ask('POST', '/service/sessions', { platform: 'ios' }),
        isKept: (store, { id }) => store.sessions.get(accountId, String(id)) !== undefined,
      },
    ],
    listSessions: [{ name: 'list sessions', ask: () => ask('GET', '/service/sessions') }],
    getSession: [{ name: 'read a session', ask: () => ask('GET', `/service/sessions/${kept.id}`) }],
    deleteSession: [
      {
        name: 'release a session that is recorded',
        ask: () => ask('DELETE', `/service/sessions/${left.id}`),
        isKept: (store) =>
          store.sessions.get(accountId, left.id)?.status === 'released' && isReady(store, leftRunning.id),
      },
      {
        name: 'release a session',
        ask: () => ask('DELETE', `/service/sessions/${released.id}`),
        isKept: (store) => store.sessions.get(accountId, released.id)?.status === 'released',
      },
    ],
    createViewerLink: [
      {
        name: 'make a link',
        ask: () => ask('POST', links(kept), { role: 'view' }),
        isKept: (store, { id }) => store.viewerLinks.isUnrevoked(kept.id, String(id)),
      },
    ],
    listViewerLinks: [{ name: 'list links', ask: () => ask('GET', links(kept)) }],
    revokeViewerLink: [
      {
        name: 'revoke a link',
        ask: () => ask('DELETE', `${links(kept)}/${revokedLink.id}`),
        isKept: (store) => !store.viewerLinks.isUnrevoked(kept.id, revokedLink.id),
      },
    ],
    thumbnail: [{ name: 'thumbnail', ask: () => ask('GET', `/service/sessions/${kept.id}/thumbnail`) }],
    uploadAsset: [
      {
        name: 'upload an asset',
        ask: upload,
        isKept: (store, { id }) => store.assets.get(accountId, String(id)) !== undefined,
      },
      {
        name: 'upload another asset',
        ask: upload,
        isKept: (store, { id }) => store.assets.get(accountId, String(id)) !== undefined,
      },
    ],
    listAssets: [{ name: 'list assets', ask: () => ask('GET', '/service/assets') }],
    getAsset: [{ name: 'read an asset', ask: () => ask('GET', `/service/assets/${there.id}`) }],
    deleteAsset: [
      {
        name: 'delete an asset',
        ask: () => ask('DELETE', `/service/assets/${deleted.id}`),
        isKept: (store) => store.assets.get(accountId, deleted.id) === undefined,
      },
    ],
    createSnapshot: [
      {
        name: 'keep a device',
        ask: () => snapshot(`kept-${number}`),
        isKept: (store, { name }) => store.snapshots.get(accountId, String(name)) !== undefined,
      },
    ],
    listSnapshots: [{ name: 'list snapshots', ask: () => ask('GET', '/service/snapshots') }],
    getSnapshot: [{ name: 'read a snapshot', ask: () => ask('GET', `/service/snapshots/${thereName}`) }],
    deleteSnapshot: [
      {
        name: 'delete a snapshot',
        ask: () => ask('DELETE', `/service/snapshots/${deletedName}`),
        isKept: (store) => store.snapshots.get(accountId, deletedName) === undefined,
      },
    ],
    control: [
      {
        name: 'open the control socket',
        ask: async () => {
          const client = await ControlClient.connect(url, kept, rest.authorization);
          await client.close();
          return DONE;
        },
      },
    ],
    askControl: [{ name: 'ask for control', ask: () => ask('POST', `${device}/control`, { step: 'take' }) }],
    releaseControl: [{ name: 'release control', ask: () => ask('DELETE', `${device}/control`) }],
    interact: [
      { name: 'interact', ask: () => ask('POST', `${device}/interactions`, { action: 'tap', x: 0.5, y: 0.5 }) },
    ],
    cancelInteraction: [{ name: 'cancel over REST', ask: () => ask('DELETE', `${device}/interactions/none`) }],
    readInteraction: [{ name: 'read an interaction', ask: () => ask('GET', `${device}/interactions/asked`) }],
    history: [{ name: 'read the history', ask: () => ask('GET', `${device}/history`) }],
    openUrl: [
      { name: 'open a URL over REST', ask: () => ask('POST', `${device}/open-url`, { url: 'https://a.example' }) },
    ],
    readClipboard: [{ name: 'read the clipboard over REST', ask: () => ask('GET', `${device}/clipboard`) }],
    writeClipboard: [
      { name: 'write the clipboard over REST', ask: () => ask('PUT', `${device}/clipboard`, { text: 'asked' }) },
    ],
    logs: [{ name: 'read the log', ask: () => ask('GET', `${device}/logs`) }],
    addMedia: [
      {
        name: 'add a picture',
        needsDisk: true,
        ask: async () => {
          const init = { method: 'POST', body: new Uint8Array(solidPng(8, '#c00000')) };
          return answeredBy(await rest.fetch(`${device}/media`, init));
        },
      },
    ],
    ...(await fileAsks(rest, device)),
    mcp: [{ name: 'list the tools of agents', ask: () => askAgent(rest) }],
    readWebDriver: [{ name: 'read by WebDriver', ask: () => ask('GET', '/wd/status') }],
    postWebDriver: [{ name: 'ask by WebDriver', ask: () => ask('POST', `${attached}/element`, FIND) }],
    deleteWebDriver: [{ name: 'leave a session of WebDriver', ask: () => ask('DELETE', attached) }],
    ui: [{ name: 'read the screen over REST', ask: () => ask('GET', `${device}/ui`) }],
    checkUi: [
      {
        name: 'check the screen over REST',
        ask: () => ask('POST', `${device}/ui/check`, { target: { role: 'button' } }),
      },
    ],
    waitUi: [
      {
        name: 'wait for the screen over REST',
        ask: () => ask('POST', `${device}/ui/wait`, { target: { text: 'asked' }, not: true }),
      },
    ],
    screenshot: [{ name: 'screenshot over REST', ask: () => ask('GET', `${device}/screenshot`) }],
    startRecording: [
      {
        name: 'start a recording',
        ask: () => ask('POST', recordings(kept)),
        isKept: (store, { id }) => store.recordings.get(String(id)) !== undefined,
      },
    ],
    listRecordings: [{ name: 'list recordings', ask: () => ask('GET', recordings(kept)) }],
    getRecording: [{ name: 'read a recording', ask: () => ask('GET', `${recordings(kept)}/${whole.id}`) }],
    stopRecording: [
      {
        name: 'stop a recording',
        ask: () => ask('POST', `${recordings(stopped)}/${running.id}/stop`),
        isKept: (store) => isReady(store, running.id),
      },
    ],
    downloadRecording: [
      { name: 'find a recording’s file', ask: () => ask('GET', `${recordings(kept)}/${whole.id}/download`) },
    ],
    recordingPoster: [
      { name: 'poster of a recording', ask: () => ask('GET', `${recordings(kept)}/${whole.id}/poster`) },
    ],
    recordingHistory: [
      { name: 'inputs of a recording', ask: () => ask('GET', `${recordings(kept)}/${whole.id}/history.vtt`) },
    ],
    retrieveRecording: [
      {
        name: 'download a recording',
        ask: async () => answeredBy(await rest.fetch(`${recordings(kept)}/${whole.id}/download`)),
      },
    ],
    signIn: [
      {
        name: 'sign in by a password',
        ask: page(joining, 'sign-in', { email: member, password: PASSWORD }),
        isKept: (store) => isSignedIn(store, cookieDigest(joining)) && !isSignedIn(store, joinedCookie),
      },
    ],
    signInByLink: [
      {
        name: 'sign in by a link',
        ask: page(byLink, 'sign-in-links', { token: secret }),
        isKept: (store) =>
          store.oneTimeLinks.read(digestOf(secret), 'sign-in', 0) === undefined &&
          isSignedIn(store, cookieDigest(byLink)),
      },
    ],
    readInvitation: [
      {
        name: 'read an invitation',
        ask: page(new DashboardClient(url), 'invitations/read', { token: invitation(`reader-${number}@b.example`) }),
      },
    ],
    acceptInvitation: [
      {
        name: 'accept an invitation',
        ask: page(new DashboardClient(url), 'invitations/accept', { token: invited, password: PASSWORD }),
        isKept: (store) =>
          store.passwords.byEmail(guest) !== undefined &&
          store.oneTimeLinks.read(digestOf(invited), 'invitation', 0) === undefined,
      },
    ],
    oauthDevice: [
      {
        name: 'ask to be let in',
        ask: begin,
        isKept: (store, { device_code }) =>
          store.deviceAuthorizations.byCode(digestOf(String(device_code))) !== undefined,
      },
    ],
    oauthToken: [
      {
        name: 'fetch tokens',
        ask: () => oauth('token', { grant_type: DEVICE_GRANT, client_id: CLIENT, device_code: approved }),
        isKept: (store, { refresh_token }) => token(store, refresh_token) !== undefined,
      },
      {
        name: 'refresh tokens',
        ask: () => oauth('token', { grant_type: 'refresh_token', client_id: CLIENT, refresh_token: refreshed }),
        isKept: (store, { refresh_token }) =>
          token(store, refresh_token) !== undefined && token(store, refreshed)?.usedAtMs !== undefined,
      },
    ],
    oauthRevoke: [
      {
        name: 'give tokens back',
        ask: () => oauth('revoke', { token: givenBack }),
        isKept: (store) => token(store, givenBack)?.revokedAtMs !== undefined,
      },
    ],
    oauthMetadata: [{ name: 'metadata of OAuth', ask: () => read('/.well-known/oauth-authorization-server') }],
    signOut: [
      {
        name: 'sign out',
        ask: page(leaving, 'sign-out'),
        isKept: (store) => !isSignedIn(store, leavingCookie),
      },
    ],
    getAccount: [{ name: 'read the account', ask: () => ask('GET', ACCOUNT) }],
    setPassword: [
      {
        name: 'choose a password',
        ask: page(choosing, 'password', { email: chosen, password: PASSWORD }),
        isKept: (store) =>
          store.passwords.byEmail(chosen)?.accountId === chooserId && !isSignedIn(store, cookieDigest(elsewhere)),
      },
    ],
    createKey: [
      {
        name: 'make a key',
        ask: () => key('made'),
        isKept: (store, { key: made }) => store.keys.byDigest(digestOf(String(made))) !== undefined,
      },
    ],
    listKeys: [{ name: 'list keys', ask: () => ask('GET', `${ACCOUNT}/keys`) }],
    revokeKey: [
      {
        name: 'revoke a key',
        ask: () => ask('DELETE', `${ACCOUNT}/keys/${revokedKey.id}`),
        isKept: (store) => store.keys.byId(revokedKey.id)?.revokedAtMs !== undefined,
      },
      {
        name: 'revoke a key and what was made with it',
        ask: () => ask('DELETE', `${ACCOUNT}/keys/${root.id}?minted=true`),
        isKept: (store) => [root, minted].every(({ id }) => store.keys.byId(id)?.revokedAtMs !== undefined),
      },
    ],
    revokeAll: [
      {
        name: 'revoke all',
        ask: () => lost('POST', `${ACCOUNT}/revocations`, { newKey: 'new' }),
        isKept: (store, { newKey }) =>
          store.keys.byDigest(digestOf(lostKey))?.revokedAtMs !== undefined &&
          store.keys.byId((newKey as CreatedKey).id) !== undefined,
      },
    ],
    listTokens: [{ name: 'list programs', ask: () => ask('GET', `${ACCOUNT}/tokens`) }],
    revokeToken: [
      {
        name: 'sign a program out',
        ask: () => ask('DELETE', `${ACCOUNT}/tokens/${endedGrant}`),
        isKept: (store) => token(store, endedToken)?.revokedAtMs !== undefined,
      },
    ],
    usage: [{ name: 'usage', ask: () => ask('GET', `${ACCOUNT}/usage`) }],
    readDeviceRequest: [
      { name: 'read a request', ask: () => ask('GET', `${ACCOUNT}/device-requests/${waiting.user_code}`) },
    ],
    decideDeviceRequest: [
      {
        name: 'let a program in',
        ask: () => decide(undecided.user_code, 'approve'),
        isKept: (store) =>
          store.deviceAuthorizations.byCode(digestOf(String(undecided.device_code)))?.status === 'approved',
      },
    ],
    doctor: [{ name: 'doctor', ask: () => ask('GET', '/service/doctor') }],
    listHosts: [{ name: 'doctor', ask: () => ask('GET', '/service/hosts') }],
  };
}
