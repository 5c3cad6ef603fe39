import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AssetRecord, SessionRecord } from '@runcloud/protocol';
import t, { type Test as Tap } from 'tap';
import type { ServicePeer } from '../support/android/adbd.ts';
import { hasAdb } from '../support/android/has-adb.ts';
import { type StandInService, standInService } from '../support/android/stand-in-service.ts';
import { HOSTILE_NAMES } from '../support/hostile-names.ts';

const skip = hasAdb ? false : 'NO ADB: Android devices are NOT tested';
const SAMPLE = 'com.example.sample';
/** All of them are taken by the conformance suite. */
const SOME_NAMES = HOSTILE_NAMES.slice(0, 12).filter((_, index) => index % 2 === 0);

function filesOf({ server }: StandInService, { id }: SessionRecord) {
  const ask = async (method: string, route: string, place: Record<string, string>, body?: Uint8Array) => {
    const path = `/service/android/${id}/${route}?${new URLSearchParams(place)}`;
    const answer = await server.rest.fetch(path, { method, ...(body ? { body: new Uint8Array(body) } : {}) });
    return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  const told = async (answer: ReturnType<typeof ask>) => {
    const { status, bytes } = await answer;
    return { status, body: JSON.parse(bytes.toString()) };
  };
  return {
    list: (place: Record<string, string>) => told(ask('GET', 'files', place)),
    pull: (place: Record<string, string>) => ask('GET', 'files/content', place),
    push: (place: Record<string, string>, text: string | Uint8Array) =>
      told(ask('PUT', 'files/content', place, Buffer.from(text))),
    remove: (place: Record<string, string>) => told(ask('DELETE', 'files', place)),
  };
}

/** All that is below the shared folder. */
const sharedOf = ({ emulator: { system } }: StandInService) => {
  const isShared = (path: string) => path.startsWith('/sdcard/');
  return {
    files: [...system.disk.files].filter(([path]) => isShared(path)).sort(),
    folders: [...system.disk.folders].filter(isShared).sort(),
  };
};

function furnish({ emulator: { system } }: StandInService): void {
  system.disk.put('/sdcard/Download/own.txt', Buffer.from('own'));
  system.disk.put("/sdcard/Download/it's other.txt", Buffer.from('other'));
  system.disk.put('/sdcard/Music/kept', Buffer.from('kept'));
  system.disk.put('/sdcard/Empty/x', Buffer.alloc(0));
  system.disk.files.delete('/sdcard/Empty/x');
}

async function change(t: Tap, service: StandInService, session: SessionRecord): Promise<void> {
  const files = filesOf(service, session);
  const done = { status: 200 };
  t.match(await files.push({ path: 'Download/own.txt' }, 'changed'), done);
  t.match(await files.push({ path: 'Download/own.txt' }, 'changed again'), done);
  t.match(await files.remove({ path: "Download/it's other.txt" }), done);
  t.match(await files.push({ path: "Download/it's other.txt" }, 'there again'), done);
  t.match(await files.remove({ path: 'Empty' }), { status: 200, body: { kind: 'folder' } });
  t.match(await files.push({ path: 'Empty' }, 'a file now'), done);
  t.match(await files.remove({ path: 'Music/kept' }), done);
  for (const name of SOME_NAMES) t.match(await files.push({ path: `new/${name}/${name}` }, name), done);
  t.equal((await files.pull({ path: 'Download/own.txt' })).bytes.toString(), 'changed again');
}

t.test('after a session, the shared folder is what it was', { skip }, async (t) => {
  const service = await standInService(t);
  furnish(service);
  const before = sharedOf(service);
  const session = await service.session();
  await change(t, service, session);
  const { list } = filesOf(service, session);
  t.notOk((await list({})).body.entries.some(({ name }: { name: string }) => name.startsWith('.runcloud')));
  t.match(await list({ path: '.runcloud-session' }), { status: 500, body: { error: { message: /There is no/ } } });
  await service.server.rest.releaseSession(session.id);
  await service.emulator.system.reset();
  t.same(sharedOf(service), before);
});

t.test('what a cut off call began to keep is kept by the next one', { skip }, async (t) => {
  const service = await standInService(t);
  furnish(service);
  const before = sharedOf(service);
  const session = await service.session();
  const files = filesOf(service, session);
  const { disk } = service.emulator.system;
  for (const command of ['cp', 'mv']) {
    disk.failing.add(command);
    t.match(await files.push({ path: 'Download/own.txt' }, 'changed'), { status: 500 });
    t.match(await files.remove({ path: 'Music/kept' }), { status: 200 });
    if (command === 'cp') t.match(await files.push({ path: 'Music/kept' }, 'new'), { status: 200 });
    disk.failing.clear();
    t.equal((await files.pull({ path: 'Download/own.txt' })).bytes.toString(), 'own');
  }
  t.match(await files.push({ path: 'Download/own.txt' }, 'changed'), { status: 200 });
  await service.server.rest.releaseSession(session.id);
  await service.emulator.system.reset();
  t.same(sharedOf(service), before);
});

t.test('a session that ended without a word is taken back before the next one', { skip }, async (t) => {
  const service = await standInService(t);
  furnish(service);
  const before = sharedOf(service);
  const session = await service.session();
  await change(t, service, session);
  service.emulator.adbd.close();
  await service.ended(session);
  t.notSame(sharedOf(service), before, 'nobody could take it back');
  await service.emulator.adbd.listen();
  const next = await service.session();
  t.same(sharedOf(service), before);
  await service.server.rest.releaseSession(next.id);
});

async function install({ server }: StandInService, { id }: SessionRecord): Promise<void> {
  const body = new Uint8Array(readFileSync('server/sample/sample.apk'));
  const answer = await server.rest.fetch('/service/assets', { method: 'POST', body });
  const { id: asset } = (await answer.json()) as AssetRecord;
  const request = { action: 'installApp', asset };
  await server.rest.call('POST', `/service/android/${id}/interactions`, request);
}

t.test('folders of apps: which are entered, which are changed, and no link is followed', { skip }, async (t) => {
  const service = await standInService(t);
  const { disk } = service.emulator.system;
  const session = await service.session();
  await install(service, session);
  const files = filesOf(service, session);
  const person = 'app:com.person.app';
  disk.put('/data/data/com.person.app/files/note', Buffer.from('private'));
  t.match(await files.list({ root: person }), {
    status: 200,
    body: { entries: [{ name: 'cache' }, { name: 'files' }] },
  });
  t.equal((await files.pull({ root: person, path: 'files/note' })).bytes.toString(), 'private');
  const stays = { status: 500, body: { error: { message: /was on the device before the session/ } } };
  t.match(await files.push({ root: person, path: 'files/note' }, 'x'), stays);
  t.match(await files.remove({ root: person, path: 'files/note' }), stays);
  disk.sealed.add('com.person.app');
  const sealed = { status: 500, body: { error: { message: /be entered: run-as: package not debuggable/ } } };
  t.match(await files.list({ root: person }), sealed);
  t.match(JSON.parse((await files.pull({ root: person, path: 'files/note' })).bytes.toString()), sealed.body);

  const root = `app:${SAMPLE}`;
  const home = `/data/data/${SAMPLE}`;
  disk.links.set(`${home}/out`, '/data/data/com.person.app/files');
  disk.links.set(`${home}/note`, '/data/data/com.person.app/files/note');
  t.match(await files.list({ root }), {
    body: {
      entries: [
        { name: 'cache', kind: 'folder' },
        { name: 'note', kind: 'link' },
        { name: 'out', kind: 'link' },
      ],
    },
  });
  const link = { status: 500, body: { error: { message: /is a link, which is not followed/ } } };
  for (const path of ['out/note', 'note']) {
    t.match(JSON.parse((await files.pull({ root, path })).bytes.toString()), link.body, path);
    t.match(await files.push({ root, path }, 'x'), link, path);
  }
  t.match(await files.list({ root, path: 'out' }), link);
  t.match(await files.remove({ root, path: 'out/note' }), link);
  t.match(await files.remove({ root, path: 'out' }), { status: 200, body: { kind: 'link' } });
  t.equal(disk.files.get('/data/data/com.person.app/files/note')?.toString(), 'private');

  disk.failing.add('dd');
  t.match(await files.push({ root, path: 'full' }, 'x'), { body: { error: { message: /No space left on device/ } } });
  disk.failing.clear();
  disk.failing.add('mv');
  t.match(await files.push({ root, path: 'full' }, 'x'), {
    body: { error: { message: /`mv` on the device ended with 1/ } },
  });
  disk.failing.clear();
  t.same(
    [...disk.files.keys()].filter((path) => path.startsWith(home)),
    [],
    'nothing is left of either',
  );
  t.match(await files.push({ root, path: 'full' }, 'x'), { status: 200 });
});

/** Cancels the call about files that runs. */
async function cancelRunning({ server }: StandInService, { id }: SessionRecord): Promise<void> {
  for (;;) {
    const path = `/service/android/${id}/history?limit=200`;
    const { body } = await server.rest.call<{ entries: Record<string, string>[] }>('GET', path);
    const running = body.entries.find(({ action, status }) => action?.startsWith('file.') && status === 'pending');
    if (!running) {
      await sleep(20);
      continue;
    }
    // It is in the middle then.
    await sleep(700);
    await server.rest.call('DELETE', `/service/android/${id}/interactions/${running.requestId}`);
    return;
  }
}

t.test('a transfer that is cut off in the middle leaves nothing, and the session goes on', { skip }, async (t) => {
  const service = await standInService(t);
  const { emulator, server } = service;
  const { disk } = emulator.system;
  const session = await service.session();
  await install(service, session);
  const files = filesOf(service, session);
  const own = { shared: '/sdcard', [`app:${SAMPLE}`]: `/data/data/${SAMPLE}` };
  const { service: services } = emulator.adbd;
  /** adb's file service that takes what is sent, and then says no more. */
  const silent = (name: string) => {
    const start = services(name);
    return name === 'sync:' && start
      ? (peer: ServicePeer) =>
          start({ say: (data) => (isLast(data) ? undefined : peer.say(data)), end: () => undefined })
      : start;
  };
  const isLast = (data: Buffer) => /^(OKAY|DONE)/.test(data.toString('latin1', 0, 4));
  for (const [root, home] of Object.entries(own)) {
    t.match(await files.push({ root, path: 'folder/kept' }, 'before'), { status: 200 });
    const before = [...disk.files].filter(([path]) => path.startsWith(`${home}/folder`));
    for (const what of ['push', 'pull'] as const) {
      emulator.adbd.service = silent;
      emulator.adbd.stuckAt = what === 'push' ? /run-as \S+ dd / : /run-as \S+ cat /;
      const cut =
        what === 'push'
          ? files.push({ root, path: 'folder/kept' }, new Uint8Array(500_000))
          : files.pull({ root, path: 'folder/kept' });
      await cancelRunning(service, session);
      const answer = (await cut) as { readonly body?: object; readonly bytes?: Buffer };
      const told = answer.body ?? JSON.parse(String(answer.bytes));
      t.match(told, { ok: false, status: 'cancelled', error: { code: 'interaction_cancelled' } }, `${what} ${root}`);
      emulator.adbd.service = services;
      emulator.adbd.stuckAt = undefined;
      t.same(
        [...disk.files].filter(([path]) => path.startsWith(`${home}/folder`)),
        before,
      );
      for (let tries = 0; tries < 100 && [...disk.files.keys()].some((path) => path.endsWith('.part')); tries++)
        await sleep(20);
      t.same(
        [...disk.files.keys()].filter((path) => path.endsWith('.part')),
        [],
        `${what} ${root}`,
      );
      t.same(readdirSync(join(server.dataDir, 'transfers')), []);
      t.equal((await files.pull({ root, path: 'folder/kept' })).bytes.toString(), 'before');
    }
  }
  await server.rest.releaseSession(session.id);
  await emulator.system.reset();
  t.same(
    [...disk.files.keys()].filter((path) => path.startsWith('/sdcard')),
    [],
  );
});
