import { createHash } from 'node:crypto';
import {
  type AssetRecord,
  type CreatedKey,
  type CreatedViewerLink,
  type RevokedAll,
  ROUTES,
  type Route,
  type RouteName,
} from '@runcloud/protocol';
import t, { type Test } from 'tap';
import { Accounts } from '../../server/account/accounts.ts';
import { systemClock } from '../../server/flow/clock.ts';
import { signingPurposes } from '../../server/signing-purposes.ts';
import { databasePath } from '../../server/store/database.ts';
import { Store } from '../../server/store/store.ts';
import { onStore } from '../support/asks.ts';
import { DashboardClient, withLinks } from '../support/dashboard-client.ts';
import { iosPackage } from '../support/ios-package.ts';
import { PowerCut } from '../support/power-cut.ts';
import { RestClient } from '../support/rest-client.ts';
import { prepareRoutes } from '../support/route-asks.ts';
import { Program } from '../support/server-process.ts';

const KEY = 'a-key-that-only-this-test-knows';
const PASSWORD = 'correct horse battery';

/** A disk of its own for each test. The processes that write it are to be started with its environment. */
function openDisk(t: Test) {
  const power = new PowerCut();
  t.teardown(() => power.remove());
  /** Reads the store as the next server would find it after a power cut at this moment. */
  const afterPowerCut = <T>(look: (store: Store) => T): T => {
    const store = new Store(databasePath(power.cut()));
    try {
      return look(store);
    } finally {
      store.close();
    }
  };
  return { power, afterPowerCut };
}

const probe = new PowerCut();
probe.remove();
const skip = probe.missing ?? false;

/** The stored digest of a secret. */
const digestOf = (secret: string) => createHash('sha256').update(secret).digest('hex');

/** Ends with the test. */
async function start(t: Test, dataDir: string, environment: Record<string, string>): Promise<string> {
  const settings = {
    RUNCLOUD_PORT: '0',
    RUNCLOUD_API_KEY: KEY,
    RUNCLOUD_DEVICES: 'virtual-ios:6',
    RUNCLOUD_LOG: 'fatal',
  };
  const server = new Program('main', [], { ...settings, RUNCLOUD_DATA_DIR: dataDir, ...environment });
  t.teardown(async () => {
    server.signal('SIGKILL');
    await server.ended;
  });
  return server.ready();
}

/** The admin command on the same disk, while the server runs; gives what it printed. */
async function admin(power: PowerCut, ...args: string[]): Promise<string> {
  const environment = { RUNCLOUD_DATA_DIR: power.dataDir, ...power.environment() };
  const program = new Program('admin', args, environment);
  const { code } = await program.ended;
  if (code !== 0) throw new Error(`${args.join(' ')}: ${program.stderr}`);
  return program.stdout.trim();
}

async function form(url: string, path: string, fields: Record<string, string>) {
  const response = await fetch(`${url}/oauth/${path}`, { method: 'POST', body: new URLSearchParams(fields) });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

t.test(
  'whatever was acknowledged is there after a power cut, and what was revoked does not come back',
  { skip },
  async (t) => {
    const { power, afterPowerCut } = openDisk(t);
    const url = await start(t, power.dataDir, power.environment());
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

    const next = await start(t, power.cut(), {});
    t.match(await new RestClient(next, key.key).call('GET', '/service/account'), { status: 401 });
    t.match(await new RestClient(next, KEY).call('GET', '/service/account'), { status: 200 });
  },
);

t.test('every change of every route that was acknowledged is there after a power cut', { skip }, async (t) => {
  const { power, afterPowerCut } = openDisk(t);
  const url = await start(t, power.dataDir, power.environment());
  const accountId = afterPowerCut((store) => store.keys.byDigest(digestOf(KEY)))?.accountId ?? '';
  const rest = new RestClient(url, KEY);
  const routes = await prepareRoutes({ rest, dataDir: power.dataDir, accountId, userCodes: [] });
  // The routes of interactions change nothing; those of recordings see to their writes themselves.
  const writing = Object.entries<Route>(ROUTES).filter(
    ([, route]) => route.writes === 'again' || route.writes === 'at once',
  );
  for (const [name] of writing)
    t.ok(
      routes[name as RouteName].every(({ isKept }) => isKept !== undefined),
      name,
    );
  for (const { name, ask, isKept } of Object.values(routes).flat()) {
    if (!isKept) continue;
    const { status, body } = await ask();
    t.ok(status < 300, `${name}: ${status} ${JSON.stringify(body)}`);
    t.ok(
      afterPowerCut((store) => isKept(store, body)),
      name,
    );
  }
});

t.test('a revoked credential is not accepted by a server that starts after the power cut', { skip }, async (t) => {
  const { power } = openDisk(t);
  const url = await start(t, power.dataDir, power.environment());
  /** An account with one credential of each kind, and a function that tries them on a server. */
  const open = async (name: string) => {
    const { key } = onStore(power.dataDir, (store) => new Accounts(store, systemClock).create(name));
    const rest = new RestClient(url, key);
    const minted = (await rest.call<CreatedKey>('POST', '/service/account/keys', { name: 'minted' })).body.key;
    const client_id = 'runcloud-cli';
    const letIn = async () => {
      const { body } = await form(url, 'device_authorization', { client_id });
      await rest.call('POST', `/service/account/device-requests/${body.user_code}`, { decision: 'approve' });
      return body.device_code ?? '';
    };
    const deviceGrant = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', client_id };
    const { body: tokens } = await form(url, 'token', { ...deviceGrant, device_code: await letIn() });
    const waiting = await letIn();
    const browser = new DashboardClient(url);
    await browser.enter(power.dataDir, name);
    const session = await rest.createSession('ios');
    const links = `/service/sessions/${session.id}/viewer-links`;
    const { body: link } = await rest.call<CreatedViewerLink>('POST', links, { role: 'view' });
    const oneTime = withLinks(power.dataDir, (made) => made.signIn(name).path).split('#')[1] ?? '';
    const pathOf = (address: string) => address.slice(new URL(address).origin.length);
    /** The credentials that a server at this address accepts; the attempt may use one up. */
    const openings = async (at: string): Promise<string[]> => {
      const isLet = async (authorization: string) =>
        (await fetch(`${at}/service/account`, { headers: { Authorization: authorization } })).status === 200;
      const there = new DashboardClient(at);
      // Cookies know no ports, so the name does.
      there.cookie = browser.cookie.replace(/^runcloud-\d+/, `runcloud-${new URL(at).port}`);
      const refreshing = { grant_type: 'refresh_token', client_id, refresh_token: tokens.refresh_token ?? '' };
      const tries: Record<string, boolean> = {
        'the key': await isLet(`Bearer ${key}`),
        'the key that it made': await isLet(`Bearer ${minted}`),
        'the access token': await isLet(`Bearer ${tokens.access_token}`),
        'the refresh token': (await form(at, 'token', refreshing)).status === 200,
        'the approved request': (await form(at, 'token', { ...deviceGrant, device_code: waiting })).status === 200,
        'the cookie': (await there.fetch('GET', '/service/account')).status === 200,
        // A session ends with its server: its address then says so to those whose token counts.
        'the address of the session': (await fetch(at + pathOf(session.url))).status !== 401,
        'the link': (await fetch(at + pathOf(link.url))).status !== 401,
        'the sign-in link':
          (await new DashboardClient(at).fetch('POST', '/service/account/sign-in-links', { token: oneTime })).status ===
          200,
      };
      return Object.keys(tries).filter((one) => tries[one]);
    };
    return { rest, openings, key };
  };

  const [self, other, signed] = [await open('self'), await open('other'), await open('signed')];
  const { body } = await self.rest.call<RevokedAll>('POST', '/service/account/revocations', { newKey: 'new' });
  const { key: renewed } = JSON.parse(await admin(power, 'account', 'revoke-all', 'other', '--name', 'new', '--json'));
  await admin(power, 'key', 'revoke', signed.key);
  await admin(power, 'secret', 'rotate', 'viewer-token');
  const next = await start(t, power.cut(), {});
  t.same(await self.openings(next), []);
  t.same(await other.openings(next), []);
  for (const key of [body.newKey?.key, renewed]) {
    t.equal((await new RestClient(next, key ?? '').call('GET', '/service/account')).status, 200, 'a new key');
  }
  const left = ['key that it made', 'access token', 'refresh token', 'approved request', 'cookie', 'sign-in link'];
  t.same(
    await signed.openings(next),
    left.map((one) => `the ${one}`),
    'without the key, and without what the former secret had signed',
  );
});

t.test(
  'each change by the admin command is there after a power cut when the command has ended',
  { skip },
  async (t) => {
    const { power, afterPowerCut } = openDisk(t);
    await start(t, power.dataDir, power.environment());
    const secretOf = (line: string) => line.split('#')[1] ?? '';
    const isGood = (secret: string, purpose: 'invitation' | 'sign-in') =>
      afterPowerCut((store) => store.oneTimeLinks.read(digestOf(secret), purpose, Date.now())) !== undefined;
    const isLive = (key: string) => {
      const row = afterPowerCut((store) => store.keys.byDigest(digestOf(key)));
      return row !== undefined && row.revokedAtMs === undefined;
    };
    const quiet = (...args: string[]) => admin(power, ...args, '--quiet');
    const commands: Record<string, (command: string, verb: string) => Promise<void>> = {
      'account create': async (...words) => void t.ok(isLive(await quiet(...words, 'acme')), 'a new account'),
      'account invite': async (...words) => {
        const former = secretOf(await quiet(...words, 'a@c.example'));
        const present = secretOf(await quiet(...words, 'a@c.example'));
        t.ok(isGood(present, 'invitation'), 'an invitation');
        t.notOk(isGood(former, 'invitation'), 'and the end of the former one');
      },
      'account sign-in': async (...words) =>
        void t.ok(isGood(secretOf(await quiet(...words, 'acme')), 'sign-in'), 'a link that signs in'),
      'key create': async (...words) => void t.ok(isLive(await quiet(...words, 'acme')), 'a key'),
      'key revoke': async (...words) => {
        const key = await quiet('key', 'create', 'acme');
        await admin(power, ...words, key);
        t.notOk(isLive(key), 'the end of a key');
      },
      'account revoke-all': async (...words) => {
        const key = await quiet('key', 'create', 'acme');
        const renewed = await quiet(...words, 'acme', '--name', 'new');
        t.notOk(isLive(key), 'the end of all keys');
        t.ok(isLive(renewed), 'and a new one');
      },
      'secret rotate': async (...words) => {
        const secrets = () => afterPowerCut((store) => signingPurposes.map((one) => store.secrets.get(one)));
        const before = secrets();
        await admin(power, ...words, 'all');
        for (const [index, secret] of secrets().entries()) t.notSame(secret, before[index]);
      },
    };
    const told = [...(await admin(power, '--help')).matchAll(/^ {2}((?:account|key|secret) (?!list)[a-z-]+)/gm)];
    t.strictSame(
      told.map(([, name]) => name).sort(),
      Object.keys(commands).sort(),
      'every command that changes something',
    );
    for (const [name, run] of Object.entries(commands)) {
      const [command = '', verb = ''] = name.split(' ');
      await run(command, verb);
    }
  },
);

t.test('control: on a disk that syncs nothing of the log, what was acknowledged is lost', { skip }, async (t) => {
  const { power, afterPowerCut } = openDisk(t);
  const url = await start(t, power.dataDir, power.environment({ lies: true }));
  const { body: key } = await new RestClient(url, KEY).call<CreatedKey>('POST', '/service/account/keys', {
    name: 'k',
  });
  t.ok(key.key);
  t.equal(
    afterPowerCut((store) => store.keys.byDigest(digestOf(key.key))),
    undefined,
  );
});
