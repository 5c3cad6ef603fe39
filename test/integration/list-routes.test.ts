import type { Platform, SessionRecord } from '@runcloud/protocol';
import t from 'tap';
import { databasePath } from '../../server/store/database.ts';
import { Store } from '../../server/store/store.ts';
import { digest } from '../store/open-store.ts';
import { sessionRow } from '../store/session-rows.ts';
import { ControlClient } from '../support/control-client.ts';
import { envelopeFault, sentenceOf } from '../support/envelope.ts';
import type { RestClient } from '../support/rest-client.ts';
import { startServer } from '../support/server.ts';

const server = await startServer();
t.teardown(() => server.close());
const { rest } = server;
const other = server.addAccount('other');
const live = await rest.createSession('ios');
const accountId = (await rest.call<{ id: string }>('GET', '/service/account')).body.id;
const NOW = Date.now();

/** Number of items in each list: more than a test could create over the API. */
const COUNT = 120;
const store = new Store(databasePath(server.dataDir));
t.teardown(() => store.close());
const owned = { accountId, organizationId: 'org' };
store.atomically(() => {
  for (let n = 1; n <= COUNT; n++) {
    // Every three of them in the same millisecond, as parallel callers make them.
    const createdAtMs = NOW - 1_000 + Math.floor(n / 3);
    const platform: Platform = n % 2 === 0 ? 'ios' : 'android';
    store.sessions.insert(sessionRow({ ...owned, id: `ses_${n}`, platform, status: 'released', createdAtMs }));
    if (n > 98) continue;
    const hex = n.toString(16).padStart(2, '0');
    store.keys.insert({ id: `key_${n}`, accountId, name: `k${n}`, digest: hex.repeat(32), createdAtMs });
    store.tokens.insertGrant({
      id: `tok_${n}`,
      accountId,
      clientId: 'runcloud-cli',
      createdAtMs,
      expiresAtMs: NOW * 2,
    });
    const link = { id: `lnk_${n}`, sessionId: live.id, role: 'view', createdAtMs, expiresAtMs: NOW * 2 } as const;
    store.viewerLinks.insert(link);
  }
});
for (let n = 1; n <= 110; n++) {
  const createdAtMs = NOW - 1_000 + Math.floor(n / 3);
  const row = { id: `rec_${n}`, sessionId: live.id, ...owned, platform: 'ios', createdAtMs, tries: 0 } as const;
  const starting = { ...row, status: 'starting', retentionExpiresAtMs: NOW * 2, recoveries: 0 } as const;
  store.recordings.insert(starting, { id: `evt_${n}`, type: 'created', atMs: NOW, status: 'starting' });
  const failure = { stage: 'prepare', code: 'storage_error', message: 'No.', retryable: false } as const;
  store.recordings.update(starting, { status: 'failed', failure }, []);
}
const PACKAGE = { byteSize: 9, platform: 'ios', name: 'App', version: '1', identifier: 'com.example' } as const;
const LONG_SCHEMES = Array.from({ length: 1_000 }, (_, n) => `scheme-of-an-app-with-many-${n}-${'x'.repeat(24)}`);
for (let n = 1; n <= COUNT; n++) {
  const checksum = digest(n % 2 === 0 ? 'a' : 'b');
  const urlSchemes = n % 2 === 0 ? LONG_SCHEMES : ['short'];
  const asset = { id: `ast_${n}`, accountId, createdAtMs: NOW - 1_000 + Math.floor(n / 3) };
  store.assets.insert({ ...PACKAGE, checksum, urlSchemes, description: '{}' }, asset);
}

interface List {
  readonly next?: string;
  readonly [name: string]: unknown;
}

const LISTS = {
  sessions: { path: '/service/sessions', code: 'invalid_session_request', plain: 50, total: COUNT + 1 },
  assets: { path: '/service/assets', code: 'invalid_asset', plain: 50, total: COUNT },
  keys: { path: '/service/account/keys', code: 'invalid_request', plain: 50, total: 99 },
  tokens: { path: '/service/account/tokens', code: 'invalid_request', plain: 50, total: 98 },
  viewerLinks: {
    path: `/service/sessions/${live.id}/viewer-links`,
    code: 'invalid_request',
    plain: 50,
    total: 98,
  },
  recordings: {
    path: `/service/ios/${live.id}/recordings`,
    code: 'invalid_recording_request',
    plain: 100,
    total: 110,
  },
} as const;

async function page(path: string, name: string, query: Readonly<Record<string, string>>, by: RestClient = rest) {
  const answer = await by.fetch(`${path}?${new URLSearchParams(query)}`);
  const text = await answer.text();
  t.equal(answer.status, 200, text.slice(0, 200));
  const { [name]: items, next } = JSON.parse(text) as List;
  return { ids: (items as readonly { id: string }[]).map(({ id }) => id), next, bytes: Buffer.byteLength(text) };
}

async function everyPage(path: string, name: string, query: Readonly<Record<string, string>> = {}) {
  const pages: Awaited<ReturnType<typeof page>>[] = [];
  for (let cursor: string | undefined; ; ) {
    const one = await page(path, name, { ...query, ...(cursor === undefined ? {} : { cursor }) });
    pages.push(one);
    cursor = one.next;
    if (cursor === undefined) return pages;
  }
}

for (const [name, { path, code, plain, total }] of Object.entries(LISTS)) {
  t.test(`${name}: pages make up the whole list, newest first, each once`, async (t) => {
    const first = await page(path, name, {});
    t.equal(first.ids.length, plain);
    const pages = await everyPage(path, name, { limit: '7' });
    const ids = pages.flatMap((one) => one.ids);
    t.equal(ids.length, total);
    t.equal(new Set(ids).size, total);
    t.same(ids.slice(0, plain), first.ids, 'however long the pages are');
    t.ok(pages.slice(0, -1).every((one) => one.ids.length === 7));
    t.ok(pages.every(({ bytes }) => bytes < 65_536));
    const numbered = ids.filter((id) => /_\d+$/.test(id)).map((id) => Number(id.slice(4)));
    t.same(
      numbered,
      [...numbered].sort((one, another) => another - one),
      'also those of the same millisecond',
    );
  });

  t.test(`${name}: a bad limit or cursor is refused by name`, async (t) => {
    const max = name === 'recordings' ? 100 : 200;
    for (const limit of ['0', `${max + 1}`, '-1', '1.5', '1e1', 'all', '', ' 1', '99999999999999999999']) {
      const answer = await rest.fetch(`${path}?${new URLSearchParams({ limit })}`);
      const text = await answer.text();
      t.equal(envelopeFault(code, answer.status, text), undefined, limit);
      t.equal(sentenceOf(text), `"limit" must be a whole number from 1 to ${max}.`, limit);
    }
    for (const cursor of ['', 'x', 'A'.repeat(38), 'A'.repeat(2_000), '../../etc', "' OR 1=1 --"]) {
      const answer = await rest.fetch(`${path}?${new URLSearchParams({ cursor })}`);
      const text = await answer.text();
      t.equal(envelopeFault(code, answer.status, text), undefined, cursor);
      t.equal(sentenceOf(text), '"cursor" must be the "next" of an earlier answer of this very list.');
    }
  });
}

t.test('a cursor opens nothing but the list, the filters and the account that it came from', async (t) => {
  const { next: cursor = '' } = await page('/service/sessions', 'sessions', { limit: '1' });
  const { next: narrowed = '' } = await page('/service/sessions', 'sessions', { limit: '1', platform: 'ios' });
  const refusals = [
    [rest, '/service/assets', cursor],
    [rest, '/service/account/keys', cursor],
    [rest, '/service/account/tokens', cursor],
    [rest, LISTS.recordings.path, cursor],
    [rest, LISTS.viewerLinks.path, cursor],
    [rest, '/service/sessions?platform=ios', cursor],
    [rest, '/service/sessions', narrowed],
    [rest, '/service/sessions?status=released', narrowed],
    [other.rest, '/service/sessions', cursor],
  ] as const;
  for (const [who, path, value] of refusals) {
    const answer = await who.fetch(`${path}${path.includes('?') ? '&' : '?'}cursor=${value}`);
    t.equal(answer.status, 400, path);
    const text = await answer.text();
    t.ok(sentenceOf(text).startsWith('"cursor" must be'), text);
    t.notMatch(text, /"ses_\d+"/);
  }
  const elsewhere = await page('/service/sessions', 'sessions', {}, other.rest);
  t.same(elsewhere, { ids: [], next: undefined, bytes: elsewhere.bytes });
});

t.test('filters narrow every page', async (t) => {
  const ios = (
    await everyPage('/service/sessions', 'sessions', { platform: 'ios', status: 'released', limit: '13' })
  ).flat();
  const ids = ios.flatMap((one) => one.ids);
  t.equal(ids.length, COUNT / 2);
  t.ok(ids.every((id) => Number(id.slice(4)) % 2 === 0));
  const [active] = await everyPage('/service/sessions', 'sessions', { status: 'active' });
  t.same(active?.ids, [live.id]);
});

t.test('a page of long items ends before it is long', async (t) => {
  const labels = Object.fromEntries(Array.from({ length: 32 }, (_, n) => [`label-${n}`, '\u0001'.repeat(128)]));
  const long = server.addAccount('long');
  store.atomically(() => {
    for (let n = 1; n <= 20; n++) {
      const row = { id: `ses_long_${n}`, accountId: long.accountId, organizationId: 'org', createdAtMs: n };
      store.sessions.insert(sessionRow({ ...row, status: 'released', labels }));
    }
  });
  const ids: string[] = [];
  for (let cursor: string | undefined, pages = 0; ; pages++) {
    const query = cursor === undefined ? '' : `?cursor=${cursor}`;
    const text = await (await long.rest.fetch(`/service/sessions${query}`)).text();
    t.ok(text.length <= 65_536, `${text.length}`);
    const body = JSON.parse(text) as { sessions: SessionRecord[]; next?: string };
    ids.push(...body.sessions.map(({ id }) => id));
    cursor = body.next;
    if (cursor === undefined || pages > 20) break;
  }
  t.same(
    ids,
    Array.from({ length: 20 }, (_, n) => `ses_long_${20 - n}`),
  );
});

t.test('a long list of URL schemes is in the app itself, not in the list of apps', async (t) => {
  const { body } = await rest.call<{ assets: { id: string; urlSchemes?: string[] }[] }>('GET', '/service/assets');
  t.same(body.assets.find(({ id }) => id === 'ast_119')?.urlSchemes, ['short']);
  const [summary] = body.assets;
  t.equal(summary?.id, 'ast_120');
  t.notOk(summary && 'urlSchemes' in summary);
  t.same((await rest.call<{ urlSchemes: string[] }>('GET', '/service/assets/ast_120')).body.urlSchemes, LONG_SCHEMES);
});

t.test('the control socket gives pages of recordings, whose cursors are good over REST too', async (t) => {
  const socket = await ControlClient.connect(server.url, live, rest.authorization);
  t.teardown(() => socket.close());
  const ready = await socket.next('ready');
  t.same(ready.limits.recordingsListed, { min: 1, max: 100, default: 100 });
  const ask = async (requestId: string, query: object) => {
    socket.send({ type: 'recording.list', requestId, ...query });
    return socket.result(requestId);
  };
  const plain = await ask('l-1', {});
  const first = plain.result as unknown as { recordings: { id: string }[]; next: string };
  t.equal(first.recordings.length, 100);
  const rest1 = await ask('l-2', { cursor: first.next, limit: 4 });
  const ids = (answer: typeof rest1) => ((answer.result?.recordings ?? []) as { id: string }[]).map(({ id }) => id);
  t.same(ids(rest1), ['rec_10', 'rec_9', 'rec_8', 'rec_7']);
  const last = await page(LISTS.recordings.path, 'recordings', { cursor: String(rest1.result?.next) });
  t.same(last.ids, ['rec_6', 'rec_5', 'rec_4', 'rec_3', 'rec_2', 'rec_1']);
  t.equal(last.next, undefined);
  t.match(await ask('l-3', { cursor: 'A'.repeat(38) }), {
    ok: false,
    error: { code: 'invalid_request', message: /"cursor"/ },
  });
  t.match(await ask('l-4', { limit: 101 }), { ok: false, error: { code: 'invalid_request', message: /"limit"/ } });
});
