import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { CommandFailure } from '../../../client/cli/failure.ts';
import { OutputFile } from '../../../client/cli/output-file.ts';

const bytes = (text: string) => Buffer.from(text);

t.test('a file appears whole, and not before its end', async (t) => {
  const folder = t.testdir({});
  const file = await OutputFile.at(join(folder, 'a.bin'), {});
  const seen: string[][] = [];
  await file.write(
    (function* () {
      yield bytes('one ');
      seen.push(readdirSync(folder));
      yield bytes('two');
    })(),
  );
  t.match(seen, [[/^a\.bin\.[0-9a-f]{12}\.part$/]]);
  t.same(readdirSync(folder), ['a.bin']);
  t.equal(readFileSync(join(folder, 'a.bin'), 'utf8'), 'one two');
});

t.test('what breaks in the middle leaves nothing, and an earlier file as it was', async (t) => {
  const folder = t.testdir({ 'a.bin': 'earlier' });
  const file = await OutputFile.at(join(folder, 'a.bin'), { force: true });
  const broken = (function* () {
    yield bytes('one');
    throw new Error('broken');
  })();
  await t.rejects(file.write(broken), { message: 'broken' });
  t.same(readdirSync(folder), ['a.bin']);
  t.equal(readFileSync(join(folder, 'a.bin'), 'utf8'), 'earlier');
});

t.test('a file that somebody else made meanwhile is not overwritten', async (t) => {
  const folder = t.testdir({});
  const path = join(folder, 'a.bin');
  const file = await OutputFile.at(path, {});
  const slow = (function* () {
    yield bytes('mine');
    writeFileSync(path, 'theirs');
  })();
  await t.rejects(file.write(slow), CommandFailure);
  t.equal(readFileSync(path, 'utf8'), 'theirs');
  t.same(readdirSync(folder), ['a.bin']);
  await t.rejects(OutputFile.at(path, {}), CommandFailure);
  await t.rejects(OutputFile.at(folder, { force: true }), CommandFailure);
});
