import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import t from 'tap';
import { AssetFiles } from '../../server/asset/asset-files.ts';
import { AssetQuota } from '../../server/asset/asset-quota.ts';
import { Assets } from '../../server/asset/assets.ts';
import type { AppPackage } from '../../server/device/app-package.ts';
import { PackageLate, PackageRefused, type ReadPackage } from '../../server/link/package-reader.ts';
import { account, openStore } from '../store/open-store.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { deferred } from '../support/scripted-device.ts';
import { WHOLE } from '../support/whole-list.ts';

const HEADROOM_BYTES = 100_000;
const QUOTA = { assets: 50, bytes: 5_000_000_000 };
const ACME = { accountId: 'acc_acme' };
const OTHER = { accountId: 'acc_other' };

const iosApp = (identifier = 'com.example.a'): AppPackage => ({
  platform: 'ios',
  identifier,
  name: 'A',
  version: '1',
  icon: new Uint8Array([1, 2, 3]),
  urlSchemes: ['a'],
  linkedHosts: ['a.example'],
});
const androidApp: AppPackage = {
  platform: 'android',
  identifier: 'com.example.droid',
  name: 'D',
  version: '',
  activities: [
    { name: 'x.Y', filters: [{ schemes: ['d', 'https'], authorities: [{ host: 'h' }], paths: [], autoVerify: true }] },
  ],
};

async function* body(text: string): AsyncGenerator<Uint8Array> {
  for (const character of text) yield Buffer.from(character);
}

/** The service on a real store and folder; `read` says what packages are. */
function open(t: Parameters<typeof openStore>[0] & { testdir(): string }) {
  const store = openStore(t);
  for (const name of ['acme', 'other']) store.accounts.insert(account(name));
  const folder = join(t.testdir(), 'assets');
  const reading = {
    read: async (_path: string): Promise<ReadPackage> => ({ checksum: 'a'.repeat(64), app: iosApp() }),
  };
  const disk = {
    freeBytes: 1_000_000,
    looks: 0,
    commit: async <T>(write: () => T | Promise<T>): Promise<T> => write(),
  };
  const files = Object.assign(new AssetFiles(folder), {
    freeBytes: () => {
      disk.looks++;
      return disk.freeBytes;
    },
  });
  const assets = new Assets({
    store: store.assets,
    files,
    quota: new AssetQuota(QUOTA, { assets: 100, bytes: 10_000_000_000 }, store.assets.sizes()),
    reader: { read: (_account, path) => reading.read(path), warm: () => undefined },
    clock: new FakeClock(),
    commit: (write) => disk.commit(write),
    headroomBytes: HEADROOM_BYTES,
  });
  const upload = async (owner = ACME, text = 'content') => {
    const admitted = assets.admit(owner);
    try {
      return await admitted.take(body(text));
    } finally {
      admitted.end();
    }
  };
  const stored = () => readdirSync(folder);
  return { assets, reading, upload, stored, folder, disk, files, store };
}

t.test('an upload is written as it came, kept under its checksum, and described', async (t) => {
  const { upload, stored, assets } = open(t);
  const record = await upload();
  t.match(record, { platform: 'ios', identifier: 'com.example.a', byteSize: 7, checksum: `sha256:${'a'.repeat(64)}` });
  t.notOk('icon' in record);
  t.same(stored(), [`${'a'.repeat(64)}.pkg`]);
  t.same(assets.list(ACME, WHOLE).items, [record]);
  t.throws(() => assets.read(OTHER, record.id), { code: 'asset_not_found' });
});

t.test('an upload that fails in any way leaves nothing', async (t) => {
  const { assets, reading, upload, stored } = open(t);
  await t.rejects(upload(ACME, ''), { code: 'invalid_asset', message: 'The body is empty.' });
  reading.read = async () => {
    throw new PackageRefused('It is no app.');
  };
  await t.rejects(upload(), { code: 'invalid_asset', message: 'It is no app.' });
  reading.read = async () => {
    throw new PackageLate('late');
  };
  const late = { code: 'asset_reader_unavailable', http: 503, retryable: true, retryAfterSeconds: 60 };
  await t.rejects(upload(), late, 'too slow by the clock is nobody’s fault');
  reading.read = async () => {
    throw new Error('EIO');
  };
  await t.rejects(upload(), { message: 'EIO' });
  const admitted = assets.admit(ACME);
  const failing = (async function* () {
    yield Buffer.from('half');
    throw new Error('cut off');
  })();
  await t.rejects(admitted.take(failing), { message: 'cut off' });
  admitted.end();
  t.same(stored(), []);
  t.same(assets.list(ACME, WHOLE).items, []);
});

const noRoom = { code: 'asset_capacity_unavailable', retryAfterSeconds: 60 };

t.test(
  'an upload leaves the room that recordings start with, and is refused ahead where its length is known',
  async (t) => {
    const { assets, disk, stored } = open(t);
    t.throws(() => assets.admit(OTHER, 900_001), noRoom);
    const first = assets.admit(OTHER, 600_000);
    t.throws(() => assets.admit(ACME, 300_001), noRoom, 'what another one announced is taken');
    const second = assets.admit(ACME, 300_000);
    t.ok(await second.take(body('content')), 'exactly what is left');
    second.end();
    first.end();
    assets.admit(OTHER, 900_000).end();
    const late = assets.admit(OTHER);
    disk.freeBytes = HEADROOM_BYTES - 1;
    await t.rejects(late.take(body('content')), noRoom, 'a short one, whose length was not told');
    late.end();
    t.throws(() => assets.admit(OTHER), noRoom);
    t.equal(stored().length, 1);
  },
);

t.test('an upload of unknown length ends when the room does, and leaves nothing', async (t) => {
  const { assets, disk, stored } = open(t);
  let pieces = 0;
  const endless = (async function* () {
    for (; pieces < 1_000; pieces++) {
      if (pieces === 40) disk.freeBytes = 0;
      yield Buffer.alloc(2 ** 20);
    }
  })();
  await t.rejects(assets.admit(ACME).take(endless), noRoom);
  t.ok(pieces >= 40 && pieces < 60, `${pieces} MiB were taken`);
  t.ok(disk.looks <= 5, 'it does not look at every piece');
  t.same(stored(), []);
});

t.test('a disk that is full all the same refuses the upload', async (t) => {
  for (const code of ['ENOSPC', 'EDQUOT']) {
    const { upload, files, stored } = open(t);
    const begin = files.begin.bind(files);
    files.begin = async () =>
      Object.assign(await begin(), { write: () => Promise.reject(Object.assign(new Error(code), { code })) });
    await t.rejects(upload(), noRoom, code);
    t.same(stored(), []);
  }
});

t.test('so many uploads at once and so many assets in all, each account for itself', async (t) => {
  const { assets } = open(t);
  const admitted = Array.from({ length: LIMITS.uploadsPerAccount }, () => assets.admit(ACME));
  t.throws(() => assets.admit(ACME), { code: 'rate_limited', retryAfterSeconds: 5 });
  t.doesNotThrow(() => assets.admit(OTHER).end());
  admitted[0]?.end();
  admitted[0]?.end();
  const again = assets.admit(ACME);
  t.throws(() => assets.admit(ACME), { code: 'rate_limited' }, 'ending twice makes room once');
  again.end();
});

t.test('a claim hands over the package, icon and all, and keeps it from being deleted', async (t) => {
  const { assets, upload, folder, stored } = open(t);
  const { id } = await upload();
  const claim = assets.claim(ACME, 'ios', [id]);
  t.strictSame(claim.apps(), [{ app: iosApp(), file: join(folder, `${'a'.repeat(64)}.pkg`) }]);
  await t.rejects(assets.delete(ACME, id), { code: 'asset_in_use' });
  const second = assets.claim(ACME, 'ios', [id]);
  claim.release();
  claim.release();
  await t.rejects(assets.delete(ACME, id), { code: 'asset_in_use' }, 'the other claim still has it');
  second.release();
  await assets.delete(ACME, id);
  t.same(stored(), []);
});

t.test('the filters of an Android app come through as they were read', async (t) => {
  const { assets, reading, upload } = open(t);
  reading.read = async () => ({ checksum: 'd'.repeat(64), app: androidApp });
  const record = await upload();
  t.same(record.urlSchemes, ['d', 'https']);
  t.strictSame(assets.claim(ACME, 'android', [record.id]).apps()[0]?.app, androidApp);
});

t.test(
  'an asset that cannot be installed is refused with its index in the list, and no asset is claimed',
  async (t) => {
    const { assets, reading, upload } = open(t);
    const { id } = await upload();
    const twin = (await upload()).id;
    reading.read = async () => ({ checksum: 'd'.repeat(64), app: androidApp });
    const droid = (await upload()).id;
    const refused =
      (ids: string[], owner = ACME) =>
      () =>
        assets.claim(owner, 'ios', ids);
    t.throws(refused([id, 'ast_none']), { code: 'asset_not_found', message: '"installAssets[1]" names no asset.' });
    t.throws(refused([id], OTHER), { code: 'asset_not_found', message: '"installAssets[0]" names no asset.' });
    const platform = { code: 'invalid_session_request', message: /"installAssets\[1\]" is an app for android/ };
    t.throws(refused([id, droid]), platform);
    const same = {
      code: 'invalid_session_request',
      message: /"installAssets\[1\]" is the same app as "installAssets\[0\]"/,
    };
    t.throws(refused([id, twin]), same);
    t.throws(refused([id, id]), same);
    for (const asset of [id, twin, droid]) await assets.delete(ACME, asset);
    t.same(assets.list(ACME, WHOLE).items, []);
  },
);

t.test('uploads and deletions of the same content, all at once, leave a file for every row', async (t) => {
  const { assets, upload, stored } = open(t);
  for (let round = 0; round < 20; round++) {
    const before = assets.list(ACME, WHOLE).items;
    await Promise.all([upload(), upload(), ...before.map(({ id }) => assets.delete(ACME, id)), upload(OTHER)]);
    for (const { id } of assets.list(OTHER, WHOLE).items) await assets.delete(OTHER, id);
    t.equal(assets.list(ACME, WHOLE).items.length, 2);
    t.same(stored(), [`${'a'.repeat(64)}.pkg`]);
  }
});

t.test('uploads that find the database locked wait beside each other, and keep their files', async (t) => {
  const { assets, reading, upload, stored, disk, store } = open(t);
  const { insert } = store.assets;
  store.assets.insert = () => {
    throw Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
  };
  const lock = deferred<void>();
  let locked = 0;
  disk.commit = async <T>(write: () => T | Promise<T>): Promise<T> => {
    try {
      return await write();
    } catch {
      locked++;
      await lock.promise;
      return write();
    }
  };
  let read = 0;
  reading.read = async () => ({ checksum: String(++read % 2).repeat(64), app: iosApp() });
  const uploads = Promise.all([upload(), upload(), upload(), upload()]);
  while (locked < 4) await new Promise((resolve) => setImmediate(resolve));
  t.ok(
    stored().every((name) => name.endsWith('.part')),
    'what has no row is on its way',
  );
  store.assets.insert = insert;
  lock.resolve();
  await uploads;
  t.equal(assets.list(ACME, WHOLE).items.length, 4);
  t.same(stored().sort(), [`${'0'.repeat(64)}.pkg`, `${'1'.repeat(64)}.pkg`]);
});

t.test("a deleted asset's file goes when its row has gone for good, and stays when that fails", async (t) => {
  const { assets, upload, folder, disk } = open(t);
  const { id } = await upload();
  const files = () => readdirSync(folder).filter((name) => name.endsWith('.pkg')).length;
  disk.commit = async (write) => {
    write();
    t.equal(files(), 1, 'the row may still come back');
    throw new ServiceError('store_unavailable');
  };
  await t.rejects(assets.delete(ACME, id), { code: 'store_unavailable' });
  t.equal(files(), 1);
  disk.commit = async (write) => write();
  const again = await upload();
  await assets.delete(ACME, again.id);
  t.equal(files(), 0);
});

t.test('an upload whose row cannot be written is refused, and leaves nothing', async (t) => {
  const { assets, upload, stored, disk } = open(t);
  disk.commit = () => Promise.reject(new ServiceError('store_unavailable'));
  await t.rejects(upload(), { code: 'store_unavailable' });
  t.strictSame(stored(), []);
  t.strictSame(assets.list(ACME, WHOLE).items, []);
});

t.test('a file whose deletion the disk did not keep in time goes with a later change', async (t) => {
  const { assets, reading, upload, stored, disk } = open(t);
  const { id } = await upload();
  const { commit } = disk;
  disk.commit = async (write) => {
    await commit(write);
    throw new ServiceError('store_unavailable');
  };
  await t.rejects(assets.delete(ACME, id), { code: 'store_unavailable' });
  t.equal(stored().length, 1, 'a power cut may bring the asset back');
  disk.commit = commit;
  reading.read = async () => ({ checksum: 'b'.repeat(64), app: androidApp });
  await upload(OTHER);
  t.same(stored(), [`${'b'.repeat(64)}.pkg`]);
});
