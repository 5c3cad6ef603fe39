import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { AssetFiles } from '../../server/asset/asset-files.ts';

const SUM = 'e'.repeat(64);

t.test('a file that is kept is whole, for its owner alone, and under its checksum', async (t) => {
  const folder = join(t.testdir(), 'assets');
  const files = new AssetFiles(folder);
  const incoming = await files.begin();
  t.match(readdirSync(folder), [/^upload-\w+\.part$/]);
  await incoming.write(Buffer.from('one '));
  await incoming.write(Buffer.from('two'));
  await incoming.finish();
  await files.keep(incoming, SUM);
  await incoming.discard();
  t.same(readdirSync(folder), [`${SUM}.pkg`]);
  t.equal(readFileSync(files.path(SUM), 'utf8'), 'one two');
  t.equal(statSync(files.path(SUM)).mode & 0o777, 0o600);
  t.equal(statSync(folder).mode & 0o777, 0o700);
  await files.remove(SUM);
  await files.remove(SUM);
  t.same(readdirSync(folder), []);
});

t.test('a file that is given up leaves nothing, at any moment', async (t) => {
  const folder = t.testdir();
  const files = new AssetFiles(folder);
  const fresh = await files.begin();
  const finished = await files.begin();
  await finished.write(Buffer.from('x'));
  await finished.finish();
  await fresh.discard();
  await finished.discard();
  await finished.discard();
  t.same(readdirSync(folder), []);
});

t.test('orphans are what this service made and nobody knows; links and other files are left alone', async (t) => {
  const outside = join(t.testdir({ target: 'precious', assets: {} }), 'target');
  const folder = join(outside, '../assets');
  const files = new AssetFiles(folder);
  const known = 'a'.repeat(64);
  for (const name of [`${known}.pkg`, `${SUM}.pkg`, 'upload-x1.part', 'readme', `${SUM}.pkg.bak`]) {
    writeFileSync(join(folder, name), 'x');
  }
  symlinkSync(outside, join(folder, `${'b'.repeat(64)}.pkg`));
  t.equal(files.removeOrphans(new Set([known])), 2);
  t.same(readdirSync(folder).sort(), [`${known}.pkg`, `${'b'.repeat(64)}.pkg`, `${SUM}.pkg.bak`, 'readme'].sort());
  t.ok(existsSync(outside));
});
