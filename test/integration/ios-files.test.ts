import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionRecord } from '@runcloud/protocol';
import t from 'tap';
import { standInService } from '../support/ios/stand-in-service.ts';

const { mac, server, session } = await standInService(t);
const { rest } = server;

async function ask({ id }: SessionRecord, method: string, route: string, place: Record<string, string>, text?: string) {
  const init = { method, ...(text === undefined ? {} : { body: new Uint8Array(Buffer.from(text)) }) };
  const answer = await rest.fetch(`/service/ios/${id}/${route}?${new URLSearchParams(place)}`, init);
  return { status: answer.status, text: await answer.text() };
}

const NOTES = 'app:com.example.notes';

t.test('what the app Files shows and the data of apps are folders of the host, which simctl names', async (t) => {
  const created = await session();
  const { containers } = mac.booted.guest;
  t.equal((await ask(created, 'PUT', 'files/content', { path: 'Folder/a.txt' }, 'shared')).status, 200);
  t.equal(readFileSync(join(containers.shared, 'Folder/a.txt'), 'utf8'), 'shared');
  t.equal((await ask(created, 'PUT', 'files/content', { root: NOTES, path: 'Documents/b.txt' }, 'own')).status, 200);
  const home = containers.pathOf('com.example.notes');
  t.equal(readFileSync(join(home, 'Documents/b.txt'), 'utf8'), 'own');
  writeFileSync(join(home, 'Documents/by the app'), 'from the app');
  t.equal(
    (await ask(created, 'GET', 'files/content', { root: NOTES, path: 'Documents/by the app' })).text,
    'from the app',
  );
  const outside = join(t.testdir(), 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret'), 'secret');
  symlinkSync(outside, join(home, 'Documents/out'));
  for (const [method, route, path] of [
    ['GET', 'files/content', 'Documents/out/secret'],
    ['GET', 'files', 'Documents/out'],
    ['PUT', 'files/content', 'Documents/out/new'],
    ['DELETE', 'files', 'Documents/out/secret'],
  ] as const) {
    const refused = await ask(created, method, route, { root: NOTES, path }, method === 'PUT' ? 'x' : undefined);
    t.match(JSON.parse(refused.text), { ok: false, error: { code: 'interaction_failed', message: /is a link/ } }, path);
  }
  t.same(readdirSync(outside), ['secret']);
  const calls = mac.calls.filter(([, , command]) => command === 'get_app_container').map((words) => words.slice(4));
  t.same(calls.filter(([bundle]) => bundle !== 'com.apple.DocumentsApp')[0], ['com.example.notes', 'data']);
  await rest.releaseSession(created.id);
  for (let tries = 0; tries < 200 && existsSync(home); tries++) await sleep(20);
  t.notOk(existsSync(home), 'they are gone with the simulator');
});

t.test('a simulator that does not tell of the shared folder says so, and tells of the others', async (t) => {
  const created = await session();
  mac.booted.guest.containers.hasLocalStorage = false;
  const refused = await ask(created, 'GET', 'files', {});
  t.equal(refused.status, 422);
  t.match(JSON.parse(refused.text), {
    error: { code: 'unsupported_action', message: /shared folder is not supported by this simulator: simctl names no/ },
  });
  t.equal((await ask(created, 'GET', 'files', { root: NOTES })).status, 200);
  await rest.releaseSession(created.id);
});

t.test('a call that simctl does not answer ends with its session, and leaves nothing here', async (t) => {
  const created = await session();
  mac.override = (args) => (args[1] === 'get_app_container' ? 'hang' : undefined);
  const cut = ask(created, 'PUT', 'files/content', { path: 'x' }, 'x');
  await sleep(500);
  await rest.releaseSession(created.id);
  t.match(JSON.parse((await cut).text), { ok: false, error: { code: 'active_session_not_found' } });
  mac.override = () => undefined;
  t.same(readdirSync(join(server.dataDir, 'transfers')), []);
  t.same(
    readdirSync(tmpdir()).filter((name) => name.startsWith('runcloud-') && name.endsWith('.part')),
    [],
  );
});
