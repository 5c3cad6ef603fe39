import t from 'tap';
import type { AssetContentRow } from '../../server/store/asset-row.ts';
import { account, openStore } from './open-store.ts';

const content = (letter: string, more: Partial<AssetContentRow> = {}): AssetContentRow => ({
  checksum: letter.repeat(64),
  byteSize: 10,
  platform: 'ios',
  identifier: 'com.example.a',
  name: 'A',
  version: '1',
  urlSchemes: ['a', 'b'],
  description: '{"platform":"ios"}',
  ...more,
});

const asset = (id: string, owner = 'acme', createdAtMs = 1) => ({ id, accountId: `acc_${owner}`, createdAtMs });

function openAssets(t: Parameters<typeof openStore>[0]) {
  const store = openStore(t);
  for (const name of ['acme', 'other']) store.accounts.insert(account(name));
  return store.assets;
}

t.test('an asset comes back as it was written, and so does its content', async (t) => {
  const assets = openAssets(t);
  const written = content('a', { icon: new Uint8Array([1, 2, 3]) });
  assets.insert(written, asset('ast_1'));
  const { description, icon, ...facts } = written;
  t.strictSame(assets.get('acc_acme', 'ast_1'), { ...facts, ...asset('ast_1') });
  const { icon: kept, ...rest } = assets.content('a'.repeat(64)) ?? content('z');
  t.strictSame(rest, { ...facts, description });
  t.equal(Buffer.compare(kept ?? Buffer.alloc(0), icon ?? Buffer.alloc(0)), 0);
  assets.insert(content('b'), asset('ast_2'));
  t.notOk('icon' in (assets.content('b'.repeat(64)) ?? {}));
});

t.test('assets are listed newest first, so many at most, and only those of the account', async (t) => {
  const assets = openAssets(t);
  assets.insert(content('a'), asset('ast_old', 'acme', 1));
  assets.insert(content('b'), asset('ast_same_time', 'acme', 5));
  assets.insert(content('a'), asset('ast_new', 'acme', 5));
  assets.insert(content('a'), asset('ast_foreign', 'other', 9));
  const ids = (limit: number) => assets.list('acc_acme', { limit }).items.map(({ id }) => id);
  t.same(ids(10), ['ast_new', 'ast_same_time', 'ast_old']);
  t.same(ids(2), ['ast_new', 'ast_same_time']);
  const sizes = assets.sizes().map(({ accountId, checksum, byteSize }) => [accountId, checksum[0], byteSize]);
  const { byteSize } = content('a');
  t.same(sizes.sort(), [
    ['acc_acme', 'a', byteSize],
    ['acc_acme', 'a', byteSize],
    ['acc_acme', 'b', byteSize],
    ['acc_other', 'a', byteSize],
  ]);
  t.equal(assets.get('acc_other', 'ast_new'), undefined);
});

t.test('content goes with the last asset that has it, whoever owns that', async (t) => {
  const assets = openAssets(t);
  assets.insert(content('a'), asset('ast_1'));
  assets.insert(content('a', { name: 'read anew' }), asset('ast_2', 'other'));
  t.equal(assets.get('acc_other', 'ast_2')?.name, 'A', 'the first reading stands');
  t.same(assets.checksums(), ['a'.repeat(64)]);
  t.same(assets.remove('acc_acme', 'ast_2'), { removed: false }, 'a foreign asset is as unknown as none');
  t.same(assets.remove('acc_acme', 'ast_1'), { removed: true });
  t.same(assets.remove('acc_acme', 'ast_1'), { removed: false });
  t.same(assets.remove('acc_other', 'ast_2'), { removed: true, unusedChecksum: 'a'.repeat(64) });
  t.same(assets.checksums(), []);
});

t.test('values outside their sets are refused by the table itself, and nothing of them is kept', async (t) => {
  const assets = openAssets(t);
  const check = { code: 'SQLITE_CONSTRAINT_CHECK' };
  t.throws(() => assets.insert(content('a', { platform: 'tv' as 'ios' }), asset('ast_1')), check);
  t.throws(() => assets.insert({ ...content('a'), checksum: 'short' }, asset('ast_1')), check);
  t.throws(() => assets.insert(content('a', { byteSize: 0 }), asset('ast_1')), check);
  t.throws(() => assets.insert(content('a', { name: '' }), asset('ast_1')), check);
  t.throws(() => assets.insert(content('a'), asset('ast_1', 'nobody')), { code: 'SQLITE_CONSTRAINT_FOREIGNKEY' });
  assets.insert(content('b'), asset('ast_1'));
  t.throws(() => assets.insert(content('c'), asset('ast_1')), { code: 'SQLITE_CONSTRAINT_PRIMARYKEY' });
  t.same(assets.checksums(), ['b'.repeat(64)]);
});
