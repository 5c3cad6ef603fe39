import type { AssetRecord, CreatedKey, CreatedViewerLink, SessionRecord } from '@runcloud/protocol';
import { digestOf } from '../../server/account/api-key.ts';
import type { Store } from '../../server/store/store.ts';
import { DashboardClient, withLinks } from './dashboard-client.ts';
import { iosPackage } from './ios-package.ts';
import type { RestClient } from './rest-client.ts';

/** How a change was answered. */
export interface Answered {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly code: string | undefined;
  /** What the answer told, for the look whether it is kept. */
  readonly body: Record<string, unknown>;
}

/** One change that a caller can ask for, and repeat until it is acknowledged. */
export interface Change {
  readonly name: string;
  ask(): Promise<Answered>;
  /** Whether the database says that it was made. */
  isKept(store: Store, body: Record<string, unknown>): boolean;
}

const CLIENT = 'runcloud-cli';
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** Everything that can be changed, each once, prepared while the storage is well. */
export async function prepareChanges(rest: RestClient, dataDir: string, accountId: string): Promise<Change[]> {
  const { url } = rest;
  const answered = async (response: Response): Promise<Answered> => {
    const body = (await response.json()) as Record<string, unknown>;
    const code = (body.error as { code?: string } | undefined)?.code;
    return { status: response.status, retryAfter: response.headers.get('retry-after'), code, body };
  };
  const ask = async (method: string, path: string, body?: unknown): Promise<Answered> =>
    answered(
      await rest.fetch(path, {
        method,
        ...(body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
      }),
    );
  const oauth = async (path: string, fields: Record<string, string>) =>
    answered(await fetch(`${url}/oauth/${path}`, { method: 'POST', body: new URLSearchParams(fields) }));
  const upload = async () => {
    const body = new Uint8Array(await iosPackage());
    return answered(await rest.fetch('/service/assets', { method: 'POST', body }));
  };
  const key = (name: string) => ask('POST', '/service/account/keys', { name });
  const letIn = async () => {
    const { body } = await oauth('device_authorization', { client_id: CLIENT });
    await ask('POST', `/service/account/device-requests/${body.user_code}`, { decision: 'approve' });
    return String(body.device_code);
  };
  const tokensOf = async (device_code: string) =>
    (await oauth('token', { grant_type: DEVICE_GRANT, client_id: CLIENT, device_code })).body;

  const links = (session: SessionRecord) => `/service/sessions/${session.id}/viewer-links`;
  const [kept, released] = [await rest.createSession('ios'), await rest.createSession('ios')];
  const revokedKey = (await key('revoked')).body as unknown as CreatedKey;
  const revokedLink = (await ask('POST', links(kept), { role: 'view' })).body as unknown as CreatedViewerLink;
  const deleted = (await upload()).body as unknown as AssetRecord;
  const { body: undecided } = await oauth('device_authorization', { client_id: CLIENT });
  const approved = await letIn();
  const refreshed = String((await tokensOf(await letIn())).refresh_token);
  const givenBack = String((await tokensOf(await letIn())).refresh_token);
  const secret = withLinks(dataDir, (made) => made.signIn('local').path).split('#')[1] ?? '';
  const browser = new DashboardClient(url);
  const token = (store: Store, text: unknown) => store.tokens.find(digestOf(String(text)), 'refresh');

  return [
    {
      name: 'make a key',
      ask: () => key('made'),
      isKept: (store, { key: made }) => store.keys.byDigest(digestOf(String(made))) !== undefined,
    },
    {
      name: 'revoke a key',
      ask: () => ask('DELETE', `/service/account/keys/${revokedKey.id}`),
      isKept: (store) => store.keys.byId(revokedKey.id)?.revokedAtMs !== undefined,
    },
    {
      name: 'create a session',
      ask: () => ask('POST', '/service/sessions', { platform: 'ios' }),
      isKept: (store, { id }) => store.sessions.get(accountId, String(id)) !== undefined,
    },
    {
      name: 'release a session',
      ask: () => ask('DELETE', `/service/sessions/${released.id}`),
      isKept: (store) => store.sessions.get(accountId, released.id)?.status === 'released',
    },
    {
      name: 'make a link',
      ask: () => ask('POST', links(kept), { role: 'view' }),
      isKept: (store, { id }) => store.viewerLinks.isUnrevoked(kept.id, String(id)),
    },
    {
      name: 'revoke a link',
      ask: () => ask('DELETE', `${links(kept)}/${revokedLink.id}`),
      isKept: (store) => !store.viewerLinks.isUnrevoked(kept.id, revokedLink.id),
    },
    {
      name: 'delete an asset',
      ask: () => ask('DELETE', `/service/assets/${deleted.id}`),
      isKept: (store) => store.assets.get(accountId, deleted.id) === undefined,
    },
    {
      name: 'ask to be let in',
      ask: () => oauth('device_authorization', { client_id: CLIENT }),
      isKept: (store, { device_code }) =>
        store.deviceAuthorizations.byCode(digestOf(String(device_code))) !== undefined,
    },
    {
      name: 'let a program in',
      ask: () => ask('POST', `/service/account/device-requests/${undecided.user_code}`, { decision: 'approve' }),
      isKept: (store) =>
        store.deviceAuthorizations.byCode(digestOf(String(undecided.device_code)))?.status === 'approved',
    },
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
    {
      name: 'give tokens back',
      ask: () => oauth('revoke', { token: givenBack }),
      isKept: (store) => token(store, givenBack)?.revokedAtMs !== undefined,
    },
    {
      name: 'sign in by a link',
      ask: async () => answered(await browser.fetch('POST', '/service/account/sign-in-links', { token: secret })),
      isKept: (store) => store.oneTimeLinks.read(digestOf(secret), 'sign-in', 0) === undefined,
    },
    {
      name: 'start a recording',
      ask: () => ask('POST', `/service/ios/${kept.id}/recordings`),
      isKept: (store, { id }) => store.recordings.get(String(id)) !== undefined,
    },
  ];
}
