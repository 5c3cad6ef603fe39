import t, { type Test } from 'tap';
import { RunCloud } from '../../../client/sdk/index.ts';
import { answerJson, startScriptedHttp } from '../../support/scripted-http.ts';

const COUNT = 7;

/** A service whose every list has seven items and gives two, or `limit`, at a time. */
async function scripted(t: Test) {
  const service = await startScriptedHttp(t, ({ path }, response) => {
    const { pathname, searchParams } = new URL(path, 'http://service');
    const name = /viewer-links$/.test(pathname) ? 'viewerLinks' : (pathname.split('/').at(-1) ?? '');
    const start = Number(searchParams.get('cursor')?.slice(3) ?? 0);
    const end = Math.min(COUNT, start + Number(searchParams.get('limit') ?? 2));
    const items = Array.from({ length: end - start }, (_, n) => ({ id: `id_${start + n}`, platform: 'ios' }));
    answerJson(response, 200, { [name]: items, ...(end < COUNT ? { next: `to-${end}` } : {}) });
  });
  const cloud = new RunCloud({ apiKey: 'a-key', baseUrl: service.url });
  return { service, cloud, session: cloud.session({ id: 'ses_1', platform: 'ios' }) };
}

const ids = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id);

t.test('a page is a list as before, and leads to the next one', async (t) => {
  const { cloud, session, service } = await scripted(t);
  for (const list of [
    (page?: object) => cloud.sessions.list(page),
    (page?: object) => cloud.assets.list(page),
    (page?: object) => cloud.keys.list(page),
    (page?: object) => cloud.tokens.list(page),
    (page?: object) => cloud.sessions.links.list('ses_1', page),
    (page?: object) => session.recordings.list(page),
  ]) {
    const first = await list();
    t.ok(Array.isArray(first));
    t.same(ids(first), ['id_0', 'id_1']);
    t.equal(first.next, 'to-2');
    const second = await list({ cursor: first.next, limit: 5 });
    t.same(ids(second), ['id_2', 'id_3', 'id_4', 'id_5', 'id_6']);
    t.notOk('next' in second);
  }
  t.match(service.seen[1], { path: '/service/sessions?limit=5&cursor=to-2' });
});

t.test('all of a list comes page by page, and no page that nobody wants', async (t) => {
  const { cloud, session, service } = await scripted(t);
  for (const all of [
    () => cloud.sessions.all({ platform: 'ios', status: 'active' }),
    () => cloud.assets.all(),
    () => cloud.keys.all(),
    () => cloud.tokens.all(),
    () => cloud.sessions.links.all('ses_1'),
    () => session.recordings.all(),
  ]) {
    const found: { readonly id: string }[] = [];
    for await (const item of all()) found.push(item);
    t.same(ids(found), ['id_0', 'id_1', 'id_2', 'id_3', 'id_4', 'id_5', 'id_6']);
  }
  t.equal(service.seen[3]?.path, '/service/sessions?platform=ios&status=active&cursor=to-6');
  const before = service.seen.length;
  for await (const { id } of cloud.sessions.all()) if (id === 'id_2') break;
  t.equal(service.seen.length - before, 2);
});

t.test('wrong arguments are refused before anything is sent', async (t) => {
  const { cloud, session, service } = await scripted(t);
  const lists: readonly ((page: object) => Promise<unknown>)[] = [
    (page: object) => cloud.sessions.list(page),
    (page: object) => cloud.assets.list(page),
    (page: object) => cloud.keys.list(page),
    (page: object) => cloud.tokens.list(page),
    (page: object) => cloud.sessions.links.list('ses_1', page),
    (page: object) => session.recordings.list(page),
  ];
  for (const list of lists) {
    for (const limit of [0, 201, 1.5, Number.NaN]) await t.rejects(list({ limit }), RangeError);
    for (const limit of ['5', null, true]) await t.rejects(list({ limit }), TypeError);
    await t.rejects(list({ cursor: '' }), RangeError);
    await t.rejects(list({ cursor: 5 }), TypeError);
  }
  await t.rejects(session.recordings.list({ limit: 101 }), RangeError);
  await t.rejects(cloud.sessions.list({ platform: 'web' as 'ios' }), RangeError);
  t.throws(() => cloud.sessions.all({ status: 'gone' as 'active' }), RangeError);
  t.throws(() => cloud.sessions.links.all(''), RangeError);
  t.equal(service.seen.length, 0);
});

t.test('an answer that leads nowhere, or to itself, is wrong', async (t) => {
  const { url } = await startScriptedHttp(t, (_request, response) => {
    answerJson(response, 200, { keys: [{ id: 'key_1' }], next: 'again' });
  });
  const { keys } = new RunCloud({ apiKey: 'a-key', baseUrl: url });
  const found: unknown[] = [];
  const read = async () => {
    for await (const key of keys.all()) found.push(key);
  };
  await t.rejects(read(), { code: 'invalid_response' });
  t.equal(found.length, 1);
});
