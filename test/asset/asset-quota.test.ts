import t from 'tap';
import { AssetQuota, type HeldAsset } from '../../server/asset/asset-quota.ts';

const OWN = { assets: 3, bytes: 100 };
const ALL = { assets: 5, bytes: 150 };
const asset = (accountId: string, checksum: string, byteSize: number): HeldAsset => ({ accountId, checksum, byteSize });
const exceeded = { code: 'asset_quota_exceeded' };
const full = { code: 'asset_capacity_unavailable', retryAfterSeconds: 60 };

t.test('an account may have so many bytes, and not one more; another has its own', (t) => {
  const quota = new AssetQuota(OWN, ALL, [asset('acme', 'a', 60)]);
  t.throws(() => quota.reserve('acme', 41), exceeded);
  const held = quota.reserve('acme', 40);
  t.throws(() => quota.reserve('acme', 1), exceeded, 'what is on its way counts');
  t.doesNotThrow(() => quota.reserve('other', 50).release());
  held.release();
  held.release();
  const again = quota.reserve('acme', 40);
  t.throws(() => quota.reserve('acme', 1), exceeded, 'giving back twice gives back once');
  again.release();
  t.end();
});

t.test('an account may have so many assets, also of nothing', (t) => {
  const quota = new AssetQuota(OWN, ALL, [asset('acme', 'a', 1)]);
  quota.reserve('acme', 0);
  quota.reserve('acme', 0);
  t.throws(() => quota.reserve('acme', 0), exceeded);
  t.throws(() => quota.reserve('acme', 0), { message: /may have 3 assets of 100 bytes together, and has 3 of 1/ });
  t.end();
});

t.test('all accounts together may have so much: that is for the service to say, and passes', (t) => {
  const quota = new AssetQuota(OWN, ALL, [asset('acme', 'a', 80)]);
  t.throws(() => quota.reserve('other', 71), full);
  const other = quota.reserve('other', 70);
  t.throws(() => quota.reserve('third', 1), full);
  other.release();
  t.doesNotThrow(() => quota.reserve('third', 1));
  const many = new AssetQuota(OWN, { assets: 2, bytes: 1_000 });
  many.reserve('a', 0);
  many.reserve('b', 0);
  t.throws(() => many.reserve('c', 0), full);
  t.end();
});

t.test('an upload whose length is not known holds what has come of it', (t) => {
  const quota = new AssetQuota(OWN, ALL);
  const one = quota.reserve('acme', 0);
  const two = quota.reserve('acme', 0);
  one.cover(60);
  two.cover(40);
  two.cover(10);
  t.throws(() => two.cover(41), exceeded);
  t.throws(() => one.cover(61), exceeded);
  one.release();
  two.cover(100);
  two.release();
  two.cover(1_000);
  t.doesNotThrow(() => quota.reserve('acme', 100));
  t.end();
});

t.test('the same content counts once: in an account, and in the service', (t) => {
  const quota = new AssetQuota(OWN, ALL);
  for (const accountId of ['acme', 'acme', 'other']) quota.added(asset(accountId, 'a', 90));
  t.throws(() => quota.reserve('acme', 11), exceeded);
  t.throws(() => quota.reserve('other', 11), exceeded);
  t.throws(() => quota.reserve('third', 61), full, 'all have 90 bytes');
  quota.reserve('third', 60).release();
  quota.removed(asset('acme', 'a', 90));
  t.throws(() => quota.reserve('acme', 11), exceeded, 'the other asset has it still');
  quota.removed(asset('acme', 'a', 90));
  quota.reserve('acme', 60).release();
  t.throws(() => quota.reserve('acme', 61), full, 'the other account has it still');
  quota.removed(asset('other', 'a', 90));
  t.doesNotThrow(() => quota.reserve('acme', 100).release());
  t.end();
});

t.test('after any series of uploads and deletions there is as much room as before', (t) => {
  const quota = new AssetQuota(OWN, ALL);
  for (let round = 0; round < 200; round++) {
    const account = `acc${round % 7}`;
    const room = quota.reserve(account, round % 90);
    const one = asset(account, String(round % 3), round % 90);
    if (round % 2) {
      room.release();
      quota.added(one);
      quota.removed(one);
      quota.removed(one);
    }
    room.release();
  }
  t.doesNotThrow(() => quota.reserve('acc0', 100).release());
  t.end();
});
