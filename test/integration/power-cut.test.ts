import { createHash } from 'node:crypto';
import type { AssetRecord, CreatedKey, CreatedViewerLink } from '@runcloud/protocol';
import t from 'tap';
import { databasePath } from '../../server/store/database.ts';
import { Store } from '../../server/store/store.ts';
import { DashboardClient, withLinks } from '../support/dashboard-client.ts';
import { iosPackage } from '../support/ios-package.ts';
import { PowerCut } from '../support/power-cut.ts';
import { RestClient } from '../support/rest-client.ts';
import { Program, type Program as Server } from '../support/server-process.ts';

const KEY = 'a-key-that-only-this-test-knows';
const PASSWORD = 'correct horse battery';

const power = new PowerCut();
t.teardown(() => power.remove());

/** Whatever is kept of a secret. */
const digestOf = (secret: string) => createHash('sha256').update(secret).digest('hex');

/** What a power cut at this moment would leave, as the next server would read it. */
function afterPowerCut<T>(look: (store: Store) => T): T {
  const store = new Store(databasePath(power.cut()));
  try {
    return look(store);
  } finally {
    store.close();
  }
}

async function start(dataDir: string, environment: Record<string, string>): Promise<{ server: Server; url: string }> {
  const settings = {
    RUNCLOUD_PORT: '0',
    RUNCLOUD_API_KEY: KEY,
    RUNCLOUD_DEVICES: 'virtual-ios:2',
    RUNCLOUD_LOG: 'fatal',
  };
  const server = new Program('server/main.ts', [], { ...settings, RUNCLOUD_DATA_DIR: dataDir, ...environment });
  return { server, url: await server.ready() };
}

async function form(url: string, path: string, fields: Record<string, string>) {
  const response = await fetch(`${url}/oauth/${path}`, { method: 'POST', body: new URLSearchParams(fields) });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

t.test(
  'whatever was acknowledged is there after a power cut, and what was revoked does not come back',
  {
    skip: power.missing ?? false,
  },
  async (t) => {
    const { server, url } = await start(power.dataDir, power.environment());
    t.teardown(() => server.signal('SIGKILL'));
    const rest = new RestClient(url, KEY);
    const given = afterPowerCut((store) => store.keys.byDigest(digestOf(KEY)));
    t.ok(given, 'the key of the start');
    const accountId = given?.accountId ?? '';

    const { body: key } = await rest.call<CreatedKey>('POST', '/service/account/keys', { name: 'short-lived' });
    t.equal(afterPowerCut((store) => store.keys.byDigest(digestOf(key.key)))?.id, key.id, 'a key that was made');
    await rest.call('DELETE', `/service/account/keys/${key.id}`);
    t.ok(afterPowerCut((store) => store.keys.byId(key.id))?.revokedAtMs, 'and that was revoked');

    const session = await rest.createSession('ios');
    t.equal(afterPowerCut((store) => store.sessions.get(accountId, session.id))?.leaseId, session.leaseId, 'a session');
    const links = `/service/sessions/${session.id}/viewer-links`;
    const { body: link } = await rest.call<CreatedViewerLink>('POST', links, { role: 'view' });
    t.ok(
      afterPowerCut((store) => store.viewerLinks.isUnrevoked(session.id, link.id)),
      'a link',
    );
    await rest.call('DELETE', `${links}/${link.id}`);
    t.notOk(
      afterPowerCut((store) => store.viewerLinks.isUnrevoked(session.id, link.id)),
      'and its revocation',
    );
    await rest.releaseSession(session.id);
    t.equal(afterPowerCut((store) => store.sessions.get(accountId, session.id))?.status, 'released');

    const secret = withLinks(power.dataDir, (made) => made.signIn('local').path).split('#')[1] ?? '';
    const browser = new DashboardClient(url);
    t.match(await browser.call('POST', '/service/account/sign-in-links', { token: secret }), { status: 200 });
    const used = afterPowerCut((store) => store.oneTimeLinks.read(digestOf(secret), 'sign-in', Date.now()));
    t.equal(used, undefined, 'a link that was used');
    const chosen = { email: 'a@b.example', password: PASSWORD };
    t.match(await browser.call('POST', '/service/account/password', chosen), { status: 200 });
    const password = afterPowerCut((store) => store.passwords.byEmail('a@b.example'));
    t.equal(password?.accountId, accountId, 'a password');
    const changed = { email: 'a@b.example', password: 'another one entirely', currentPassword: PASSWORD };
    t.match(await rest.call('POST', '/service/account/password', changed), { status: 200 });
    t.not(afterPowerCut((store) => store.passwords.byEmail('a@b.example'))?.hash, password?.hash, 'and its change');

    const client_id = 'runcloud-cli';
    const { body: asked } = await form(url, 'device_authorization', { client_id });
    await rest.call('POST', `/service/account/device-requests/${asked.user_code}`, { decision: 'approve' });
    const deviceGrant = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', client_id };
    const { body: first } = await form(url, 'token', { ...deviceGrant, device_code: asked.device_code ?? '' });
    const tokenOf = (token = '') => afterPowerCut((store) => store.tokens.find(digestOf(token), 'refresh'));
    t.equal(tokenOf(first.refresh_token)?.accountId, accountId, 'a grant');
    const refreshing = { grant_type: 'refresh_token', client_id, refresh_token: first.refresh_token ?? '' };
    const { body: second } = await form(url, 'token', refreshing);
    t.ok(tokenOf(first.refresh_token)?.usedAtMs, 'a refresh token that was used');
    t.ok(tokenOf(second.refresh_token), 'and the one that it brought');
    await form(url, 'revoke', { token: second.access_token ?? '' });
    t.ok(tokenOf(second.refresh_token)?.revokedAtMs, 'the end of the grant');

    const body = new Uint8Array(await iosPackage());
    const asset = (await (await rest.fetch('/service/assets', { method: 'POST', body })).json()) as AssetRecord;
    t.equal(afterPowerCut((store) => store.assets.get(accountId, asset.id))?.platform, 'ios', 'an upload');
    await rest.call('DELETE', `/service/assets/${asset.id}`);
    t.equal(
      afterPowerCut((store) => store.assets.get(accountId, asset.id)),
      undefined,
      'and its deletion',
    );

    const next = await start(power.cut(), {});
    t.teardown(() => next.server.signal('SIGKILL'));
    t.match(await new RestClient(next.url, key.key).call('GET', '/service/account'), { status: 401 });
    t.match(await new RestClient(next.url, KEY).call('GET', '/service/account'), { status: 200 });
  },
);

t.test(
  'control: on a disk that syncs nothing of the log, what was acknowledged is lost',
  {
    skip: power.missing ?? false,
  },
  async (t) => {
    const { server, url } = await start(power.dataDir, power.environment({ lies: true }));
    t.teardown(() => server.signal('SIGKILL'));
    const { body: key } = await new RestClient(url, KEY).call<CreatedKey>('POST', '/service/account/keys', {
      name: 'k',
    });
    t.ok(key.key);
    t.equal(
      afterPowerCut((store) => store.keys.byDigest(digestOf(key.key))),
      undefined,
    );
  },
);
