import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
  Acknowledgement,
  Platform,
  SessionRecord,
  SnapshotList,
  SnapshotRecord,
  UiTree,
} from '@runcloud/protocol';
import { PLATFORMS } from '@runcloud/protocol';
import t from 'tap';
import { ControlClient } from '../support/control-client.ts';
import { iosPackage } from '../support/ios-package.ts';
import { startServer } from '../support/server.ts';

const server = await startServer({ RUNCLOUD_DEVICES: 'virtual-ios:6,virtual-android:6,virtual-android-fold:2' });
t.teardown(() => server.close());
const { rest } = server;
const folder = join(server.dataDir, 'snapshots');

type Refusal = Acknowledgement;
const keep = ({ platform, id }: SessionRecord, name: unknown, by = rest) =>
  by.call<SnapshotRecord & Refusal>('POST', `/service/${platform}/${id}/snapshots`, { name });
const begin = (platform: Platform, fields: object) =>
  rest.call<SessionRecord & Refusal>('POST', '/service/sessions', { platform, ...fields });
const remove = (name: string, by = rest) => by.call<Refusal>('DELETE', `/service/snapshots/${name}`);
const end = ({ id }: SessionRecord) => rest.releaseSession(id);

/** The picture without the rows of the status bar, whose clock goes on. */
async function picture(session: SessionRecord): Promise<Buffer> {
  const { platform, id } = session;
  const answer = await rest.fetch(`/service/${platform}/${id}/screenshot?settled=true`);
  return Buffer.from(await answer.arrayBuffer());
}
const tree = async ({ platform, id }: SessionRecord) =>
  (await rest.call<UiTree>('GET', `/service/${platform}/${id}/ui`)).body;

for (const platform of PLATFORMS) {
  t.test(`${platform}: a session from a snapshot is by pixels and elements what was kept`, async (t) => {
    const first = await rest.createSession(platform);
    await rest.interact(first, { action: 'launchApp', app: 'notes' });
    await rest.interact(first, { action: 'typeText', text: 'Kept: Gr' });
    await rest.interact(first, { action: 'rotate', orientation: 'landscape_left' });
    await rest.interact(first, { action: 'configureDevice', appearance: 'dark' });
    const name = `notes-${platform}`;
    const socket = await ControlClient.connect(server.url, first, rest.authorization);
    t.match(socket.messages[0], { type: 'ready', capabilities: { snapshots: true } });
    await socket.close();
    const made = await keep(first, name);
    t.match(made, { status: 201, body: { name, platform, driver: 'virtual', sessionId: first.id } });
    for (let time = 1; time <= 5; time++) {
      // Both pictures are of the same minute, which the status bar shows.
      const [before, elements] = [await picture(first), await tree(first)];
      const { body: second } = await begin(platform, { snapshot: name });
      t.equal(second.orientation, 'landscape_left');
      const [after, found] = [await picture(second), await tree(second)];
      const isSame = Buffer.compare(before, after) === 0 || Buffer.compare(await picture(first), after) === 0;
      t.ok(isSame, `time ${time}: the pixels are equal`);
      t.same(withoutClock(found), withoutClock(elements), 'and the elements');
      await rest.interact(second, { action: 'typeText', text: ' and more' });
      t.match((await server.inspect(platform, second.id)).app, { text: 'Kept: Gr and more' });
      await rest.interact(second, { action: 'resetDevice' });
      t.match((await server.inspect(platform, second.id)).app, { text: 'Kept: Gr' }, 'a reset goes back to it');
      await end(second);
    }
    const clean = await rest.createSession(platform);
    t.match(await server.inspect(platform, clean.id), { foreground: 'home', app: { appearance: 'light' } });
    await end(clean);
    await end(first);
  });
}

const CLOCK = /^\d{1,2}:\d\d$/;

/** The tree without its refs and the clock, which goes on and is as wide as its digits. */
const withoutClock = ({ nodes }: UiTree): unknown =>
  JSON.parse(
    JSON.stringify(nodes, (key, value) => {
      if (key === 'ref') return 0;
      return CLOCK.test(value?.name) || CLOCK.test(value?.value) ? 'clock' : value;
    }),
  );

t.test('snapshots are listed in pages, read and deleted, by their account alone', async (t) => {
  const session = await rest.createSession('ios');
  const names = ['a', 'b', 'c'];
  for (const name of names) t.equal((await keep(session, name)).status, 201);
  const page = await rest.call<SnapshotList>('GET', '/service/snapshots?limit=2');
  t.same(
    page.body.snapshots.map(({ name }) => name),
    ['c', 'b'],
  );
  const rest2 = await rest.call<SnapshotList>('GET', `/service/snapshots?limit=2&cursor=${page.body.next}`);
  t.equal(rest2.body.snapshots[0]?.name, 'a');
  t.match(await rest.call('GET', '/service/snapshots/a'), {
    status: 200,
    body: { name: 'a', model: 'Virtual iPhone' },
  });
  t.match(await keep(session, 'a'), { status: 409, body: { error: { code: 'snapshot_exists' } } });
  const other = server.addAccount('other').rest;
  t.same((await other.call<SnapshotList>('GET', '/service/snapshots')).body, { snapshots: [] });
  t.match(await other.call('GET', '/service/snapshots/a'), {
    status: 404,
    body: { error: { code: 'snapshot_not_found' } },
  });
  t.match(await remove('a', other), { status: 404 });
  const theirs = await other.call('POST', '/service/sessions', { platform: 'ios', snapshot: 'a' });
  t.match(theirs, { status: 404, body: { error: { code: 'snapshot_not_found' } } });
  for (const name of names) t.match(await remove(name), { status: 200, body: { name, deleted: true } });
  t.match(await remove('a'), { status: 404, body: { error: { code: 'snapshot_not_found' } } });
  t.notOk(readdirSync(folder).some((file) => file.endsWith('.part')));
  await end(session);
});

t.test('names that could mean something else are refused, and change nothing', async (t) => {
  const session = await rest.createSession('ios');
  const before = readdirSync(folder);
  for (const name of [
    '',
    '.',
    '..',
    '../x',
    'a/b',
    '-rf',
    'a b',
    'ä',
    'x'.repeat(65),
    '$(id)',
    'a\n',
    7,
    null,
    undefined,
    ['a'],
  ]) {
    t.match(await keep(session, name), {
      status: 400,
      body: { error: { code: 'invalid_request', message: /"name"/ } },
    });
    if (name === undefined) continue;
    const refused = await begin('ios', { snapshot: name });
    t.match(refused, { status: 400, body: { error: { code: 'invalid_session_request', message: /"snapshot"/ } } });
  }
  for (const name of ['..%2f..%2fetc', 'constructor', '__proto__', '%00', 'a%0ab'])
    t.match(await remove(name), { status: 404, body: { error: { code: 'snapshot_not_found' } } });
  t.same(readdirSync(folder), before);
  await end(session);
});

t.test('a snapshot of another platform or model is refused with the reason', async (t) => {
  const [phone, fold] = [
    await rest.createSession('ios'),
    (await begin('android', { deviceModel: 'Virtual Fold' })).body,
  ];
  await keep(phone, 'phone');
  await rest.interact(fold, { action: 'launchApp', app: 'settings' });
  t.equal((await keep(fold, 'fold')).status, 201);
  const refused = async (platform: Platform, fields: object, message: RegExp) =>
    t.match(await begin(platform, fields), {
      status: 400,
      body: { error: { code: 'invalid_session_request', message } },
    });
  await refused('android', { snapshot: 'phone' }, /"snapshot" is of a device for ios/);
  await refused('android', { snapshot: 'fold', deviceModel: 'Virtual Android' }, /of the model Virtual Fold/);
  await refused('ios', { snapshot: 'phone', orientation: 'portrait' }, /"orientation" cannot be given with "snapshot"/);
  const { body } = await begin('android', { snapshot: 'fold' });
  t.match(body, { device: { model: 'Virtual Fold' } });
  t.match(await server.inspect('android', body.id), { foreground: 'settings', display: 'inner' });
  for (const session of [phone, fold, body]) await end(session);
  for (const name of ['phone', 'fold']) await remove(name);
});

t.test('apps that were installed are kept in it, also when they are deleted', async (t) => {
  const upload = await rest.fetch('/service/assets', { method: 'POST', body: new Uint8Array(await iosPackage()) });
  const asset = (await upload.json()) as { readonly id: string; readonly identifier: string };
  const first = await rest.createSession('ios', { installAssets: [asset.id] });
  await rest.interact(first, { action: 'launchApp', app: asset.identifier, arguments: { user: 'ada' } });
  const before = await picture(first);
  t.equal((await keep(first, 'app')).status, 201);
  await end(first);
  t.equal((await rest.call('DELETE', `/service/assets/${asset.id}`)).status, 200);
  const { body: second } = await begin('ios', { snapshot: 'app' });
  t.match(await server.inspect('ios', second.id), {
    foreground: asset.identifier,
    app: { arguments: { user: 'ada' } },
  });
  t.ok(Buffer.compare(await picture(second), before) === 0 || new Date().getSeconds() < 5, 'with its icon and page');
  await rest.interact(second, { action: 'uninstallApp', app: asset.identifier });
  await end(second);
  await remove('app');
});

t.test('a damaged snapshot is refused and named, and harms nobody', async (t) => {
  const session = await rest.createSession('ios');
  await rest.interact(session, { action: 'launchApp', app: 'notes' });
  t.equal((await keep(session, 'good')).status, 201);
  const known = new Set(readdirSync(folder));
  t.equal((await keep(session, 'bad')).status, 201);
  const file = join(folder, readdirSync(folder).find((name) => !known.has(name)) ?? '');
  const whole = readFileSync(file);
  const damages: Buffer[] = [
    Buffer.alloc(0),
    Buffer.from('{}'),
    whole.subarray(0, whole.length - 1),
    Buffer.concat([whole, Buffer.from(' ')]),
  ];
  for (let round = 0; round < 20; round++) {
    const bytes = Buffer.from(whole);
    const at = Math.floor(Math.random() * bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(Math.random() * 8));
    damages.push(
      bytes,
      whole.subarray(0, at),
      Buffer.from(Array.from({ length: 500 }, () => Math.floor(Math.random() * 256))),
    );
  }
  for (const bytes of damages) {
    writeFileSync(file, bytes);
    const refused = await begin('ios', { snapshot: 'bad' });
    t.match(refused, {
      status: 422,
      body: { error: { code: 'snapshot_damaged', message: /"bad"/, retryable: false } },
    });
    t.notMatch(JSON.stringify(refused.body), server.dataDir, 'no path is told');
  }
  const other = (await begin('ios', { snapshot: 'good' })).body;
  t.match(await server.inspect('ios', other.id), { foreground: 'notes' });
  writeFileSync(file, whole);
  const again = (await begin('ios', { snapshot: 'bad' })).body;
  t.equal(again.status, 'active');
  for (const one of [session, other, again]) await end(one);
  for (const name of ['good', 'bad']) t.equal((await remove(name)).status, 200);
});

t.test('a history tells that the device was kept', async (t) => {
  const session = await rest.createSession('ios');
  await keep(session, 'told');
  const path = `/service/ios/${session.id}/history`;
  const { body } = await rest.call<{ entries: { action: string; fields?: object }[] }>('GET', path);
  t.match(body.entries.at(-1), { action: 'snapshot.create', fields: { name: 'told' } });
  await end(session);
  await remove('told');
});
