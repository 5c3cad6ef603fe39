import type { CreatedKey, CreatedViewerLink, RecordingRecord, SessionRecord } from '@runcloud/protocol';
import { DashboardClient } from './dashboard-client.ts';
import { iosPackage } from './ios-package.ts';
import type { RestClient } from './rest-client.ts';
import { TEST_KEY, type TestServer } from './server.ts';

const CLIENT = 'runcloud-cli';
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const ACCOUNT = '/service/account';

/** Two sessions for each tenant, and those that others make. */
export const TENANTS_ENVIRONMENT = { RUNCLOUD_DEVICES: 'virtual-ios:7' };

/** What the paths, queries, bodies and messages of calls name. */
export const IDS = [
  'sessionId',
  'siblingId',
  'linkId',
  'recordingId',
  'runningId',
  'assetId',
  'snapshotName',
  'keyId',
  'tokenId',
  'requestId',
  'userCode',
  'participantId',
] as const;
export type Ids = Readonly<Record<(typeof IDS)[number], string>>;

/** Somebody with an account, and with one of everything in it. */
export interface Tenant {
  readonly name: string;
  readonly accountId: string;
  readonly key: string;
  readonly rest: RestClient;
  readonly session: SessionRecord;
  /** Another session of the account. */
  readonly sibling: SessionRecord;
  /** A link with which one may watch the session, and one that is revoked. */
  readonly watching: CreatedViewerLink;
  readonly revokedLink: CreatedViewerLink;
  /** The token of a session that has ended. */
  readonly endedToken: string;
  readonly revokedKey: string;
  /** A new signed reference of the recording's file. */
  reference(): Promise<string>;
  readonly ids: Ids;
  /** Texts that nobody else may see, by what they are. */
  readonly marks: Readonly<Record<string, string>>;
  /** What opens the account. */
  readonly secrets: readonly string[];
}

export interface Tenants {
  readonly server: TestServer;
  readonly owner: Tenant;
  readonly stranger: Tenant;
}

export const tokenOf = ({ url }: { readonly url: string }): string => new URL(url).searchParams.get('token') ?? '';

/** A text of the tenant's own, by which it is known wherever it is. */
const said = (name: string, what: string) => `${name}-${what}-said`;

/** Both have sessions on the same host. */
export async function openTenants(server: TestServer): Promise<Tenants> {
  return { server, owner: await openTenant(server, 'owner'), stranger: await openTenant(server, 'stranger') };
}

async function openTenant(server: TestServer, name: string): Promise<Tenant> {
  const { accountId, key, rest } = server.addAccount(said(name, 'account'));
  const made = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await rest.call<T>(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const sent = async (method: string, path: string, body: Uint8Array): Promise<{ readonly id: string }> => {
    const response = await rest.fetch(path, { method, body: new Uint8Array(body) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { readonly id: string };
  };
  const labels = { mark: said(name, 'label') };
  const session = await rest.createSession('ios', { labels, historyTexts: 'full' });
  const sibling = await rest.createSession('ios', { historyTexts: 'full' });
  const ended = await rest.createSession('ios');
  await rest.releaseSession(ended.id);
  const device = `/service/ios/${session.id}`;
  const typed = said(name, 'typed');
  const requestId = said(name, 'request');
  // What is on the screen of each is its own: no picture of one is like one of another.
  for (const each of [session, sibling]) {
    const path = `/service/ios/${each.id}/interactions`;
    await made('POST', path, {
      action: 'tapElement',
      target: { text: 'Notes' },
      ...(each === session && { requestId }),
    });
    await made('POST', path, { action: 'typeText', text: each === session ? typed : said(name, 'second') });
  }
  await made('PUT', `${device}/clipboard`, { text: said(name, 'clipboard') });
  await made('POST', `${device}/open-url`, { url: `https://${name}-address.example/` });
  await made('POST', `${device}/interactions`, { action: 'pressButton', button: 'home' });
  await made('POST', `${device}/interactions`, { action: 'tapElement', target: { text: 'Notes' } });
  await sent('PUT', `${device}/files/content?path=${said(name, 'file')}`, Buffer.from(said(name, 'content')));
  await sent('PUT', `${device}/files/content?path=${said(name, 'spare')}`, Buffer.from('spare'));
  const record = (of: SessionRecord) => made<RecordingRecord>('POST', `/service/ios/${of.id}/recordings`);
  const recording = await record(session);
  await made('POST', `${device}/recordings/${recording.id}/stop`);
  const running = await record(sibling);
  const link = () => made<CreatedViewerLink>('POST', `/service/sessions/${session.id}/viewer-links`, { role: 'view' });
  const [watching, revokedLink, spareLink] = [await link(), await link(), await link()];
  await made('DELETE', `/service/sessions/${session.id}/viewer-links/${revokedLink.id}`);
  const newKey = (what: string) => made<CreatedKey>('POST', `${ACCOUNT}/keys`, { name: said(name, what) });
  const [spareKey, revokedKey] = [await newKey('key'), await newKey('revoked')];
  await made('DELETE', `${ACCOUNT}/keys/${revokedKey.id}`);
  const asset = await sent('POST', '/service/assets', await iosPackage());
  const snapshotName = said(name, 'snapshot');
  await made('POST', `${device}/snapshots`, { name: snapshotName });
  const program = await letIn(server.url, rest, said(name, 'program'));
  const { tokens } = await made<{ tokens: readonly { readonly id: string }[] }>('GET', `${ACCOUNT}/tokens`);
  const browser = new DashboardClient(server.url);
  await browser.enter(server.dataDir, said(name, 'account'));
  const ids: Ids = {
    sessionId: session.id,
    siblingId: sibling.id,
    linkId: spareLink.id,
    recordingId: recording.id,
    runningId: running.id,
    assetId: asset.id,
    snapshotName,
    keyId: spareKey.id,
    tokenId: tokens[0]?.id ?? '',
    requestId,
    userCode: program.userCode,
    participantId: '',
  };
  const { participantId: _, userCode: __, ...named } = ids;
  return {
    name,
    accountId,
    key,
    rest,
    session,
    sibling,
    watching,
    revokedLink,
    endedToken: tokenOf(ended),
    revokedKey: revokedKey.key,
    reference: async () => {
      const found = await rest.fetch(`${device}/recordings/${recording.id}/download`, { redirect: 'manual' });
      return new URLSearchParams(found.headers.get('location')?.split('?')[1]).get('reference') ?? '';
    },
    ids,
    marks: {
      ...named,
      accountId,
      account: said(name, 'account'),
      label: labels.mark,
      typed,
      clipboard: said(name, 'clipboard'),
      address: `${name}-address`,
      file: said(name, 'file'),
      content: said(name, 'content'),
      key: said(name, 'key'),
      program: said(name, 'program'),
      endedId: ended.id,
      leaseId: session.leaseId,
      token: tokenOf(session),
    },
    secrets: [
      key,
      spareKey.key,
      revokedKey.key,
      ...program.secrets,
      browser.cookie.slice(browser.cookie.indexOf('=') + 1),
    ],
  };
}

/** Signs a program in. */
async function letIn(url: string, rest: RestClient, deviceName: string) {
  const oauth = async (path: string, fields: Record<string, string>) => {
    const response = await fetch(`${url}/oauth/${path}`, { method: 'POST', body: new URLSearchParams(fields) });
    return (await response.json()) as Record<string, string>;
  };
  const begun = await oauth('device_authorization', { client_id: CLIENT, device_name: deviceName });
  const { device_code = '', user_code: userCode = '' } = begun;
  await rest.call('POST', `${ACCOUNT}/device-requests/${userCode}`, { decision: 'approve' });
  const { access_token = '', refresh_token = '' } = await oauth('token', {
    grant_type: DEVICE_GRANT,
    client_id: CLIENT,
    device_code,
  });
  if (refresh_token === '') throw new Error('the program is not signed in');
  return { userCode, secrets: [device_code, access_token, refresh_token] };
}

/** Ids like these, which name nothing: of the same kinds, lengths and host. */
export function unknownIds(ids: Ids): Ids {
  const other = (text: string) =>
    /^[a-z]{3}_/.test(text)
      ? `${text.slice(0, 4)}${[...text.slice(4, 12)].reverse().join('')}${text.slice(12)}`
      : text.replace(/^[a-z]+/, (name) => 'x'.repeat(name.length));
  const made = Object.fromEntries(Object.entries(ids).map(([name, text]) => [name, other(text)]));
  return { ...made, userCode: 'BCDF-GHJK' } as unknown as Ids;
}

/** Somebody who asks. */
export interface Caller {
  readonly name: string;
  /**
   * `owner`: with the account's key; `key`: with that of another account; `watcher`: with a link to look; `token`: with that of another
   * session; `ended`: with that of a session that has ended; `none`: with nothing that is good.
   */
  readonly kind: 'owner' | 'key' | 'watcher' | 'token' | 'ended' | 'none';
  /** Where its calls come from, for limits of what is tried without a credential. */
  readonly address: string;
  /** Sent in `Authorization`. */
  readonly bearer?: string;
  /** Sent in an address, where a token is wanted. */
  readonly token?: string;
  /** Sent as the signed reference of a file; default: the token. */
  readonly reference?: () => Promise<string>;
}

/** Every kind of credential, the owner's first. */
export function callersOf({ owner, stranger }: Tenants): readonly Caller[] {
  const byKey = ({ key, session, reference }: Tenant) => ({ bearer: key, token: tokenOf(session), reference });
  const byToken = (token: string) => ({ bearer: token, token });
  const callers: readonly Omit<Caller, 'address'>[] = [
    { name: "the owner's key", kind: 'owner', ...byKey(owner) },
    { name: "another account's key", kind: 'key', ...byKey(stranger) },
    { name: "the operator's key", kind: 'key', ...byToken(TEST_KEY) },
    { name: "another session's token", kind: 'token', ...byToken(tokenOf(owner.sibling)) },
    { name: "another account's session's token", kind: 'token', ...byToken(tokenOf(stranger.session)) },
    { name: 'a link to watch', kind: 'watcher', ...byToken(tokenOf(owner.watching)) },
    { name: "an ended session's token", kind: 'ended', ...byToken(owner.endedToken) },
    { name: 'a revoked link', kind: 'none', ...byToken(tokenOf(owner.revokedLink)) },
    { name: 'a revoked key', kind: 'none', ...byToken(owner.revokedKey) },
    { name: 'no credential', kind: 'none' },
  ];
  return callers.map((caller, index) => ({ ...caller, address: `192.0.2.${index + 1}` }));
}
