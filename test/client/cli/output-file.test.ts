import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import t from 'tap';
import { CommandFailure } from '../../../client/cli/failure.ts';
import { OutputFile } from '../../../client/cli/output-file.ts';

const { signal } = new AbortController();
const bytes = (text: string) => Buffer.from(text);

t.test('a file appears whole, and not before its end', async (t) => {
  const folder = t.testdir({});
  const file = await OutputFile.at(join(folder, 'a.bin'), { signal });
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

t.test('a write that fails in the middle leaves no part, and an earlier file unchanged', async (t) => {
  const folder = t.testdir({ 'a.bin': 'earlier' });
  const file = await OutputFile.at(join(folder, 'a.bin'), { force: true, signal });
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
  const file = await OutputFile.at(path, { signal });
  const slow = (function* () {
    yield bytes('mine');
    writeFileSync(path, 'theirs');
  })();
  await t.rejects(file.write(slow), CommandFailure);
  t.equal(readFileSync(path, 'utf8'), 'theirs');
  t.same(readdirSync(folder), ['a.bin']);
  await t.rejects(OutputFile.at(path, { signal }), CommandFailure);
  await t.rejects(OutputFile.at(folder, { force: true, signal }), CommandFailure);
});

/** Runs on Unix, where pipes and devices have names. */
const unix = { skip: process.platform === 'win32' && 'this system has no such files' };

t.test('a pipe is written into as fast as it is read, and stays a pipe', unix, async (t) => {
  const folder = t.testdir({});
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const much = Buffer.alloc(1_000_000, 7);
  const file = await OutputFile.at(path, { force: true, signal });
  t.equal(file.passesOn, true);
  // Its reader comes later, and does not read at once.
  const writing = file.write([much, bytes('end')]);
  const reader = spawn('sh', ['-c', 'sleep 0.3; exec cat < "$0"', path]);
  const read = buffer(reader.stdout);
  await writing;
  t.equal(Buffer.compare(await read, Buffer.concat([much, bytes('end')])), 0);
  t.ok(lstatSync(path).isFIFO());
  t.same(readdirSync(folder), ['pipe']);
});

t.test('a pipe that nobody reads, or that is full, ends with Ctrl-C', unix, async (t) => {
  const path = join(t.testdir({}), 'pipe');
  execFileSync('mkfifo', [path]);
  for (const isRead of [false, true]) {
    const controller = new AbortController();
    const reason = new Error('interrupted');
    // A reader that reads nothing: the pipe takes 64 KiB and no more.
    const reader = isRead ? spawn('sh', ['-c', 'exec 3< "$0"; exec sleep 60', path]) : undefined;
    setTimeout(() => controller.abort(reason), 500);
    const file = await OutputFile.at(path, { signal: controller.signal });
    t.equal(await file.write([Buffer.alloc(1_000_000)]).catch((error: unknown) => error), reason);
    reader?.kill();
  }
});

t.test('a device is written into, whatever it makes of it, and stays a device', unix, async (t) => {
  for (const force of [false, true]) {
    const nothing = await OutputFile.at('/dev/null', { force, signal });
    await nothing.write([bytes('gone')]);
    t.ok(lstatSync('/dev/null').isCharacterDevice());
  }
  const full = await OutputFile.at('/dev/full', { force: true, signal });
  await t.rejects(full.write([bytes('too much')]), { code: 'ENOSPC' });
});

t.test('a file behind a descriptor is appended to and not replaced', unix, async (t) => {
  const folder = t.testdir({ 'log.txt': 'earlier ' });
  const path = join(folder, 'log.txt');
  const inode = lstatSync(path).ino;
  const script = `
    import { OutputFile } from './client/cli/output-file.ts';
    const file = await OutputFile.at('/dev/fd/3', { force: true, signal: new AbortController().signal });
    await file.write([Buffer.from('later')]);`;
  execFileSync('sh', [
    '-c',
    'exec "$0" --import tsx --input-type=module -e "$1" 3>> "$2"',
    process.execPath,
    script,
    path,
  ]);
  t.same([readFileSync(path, 'utf8'), lstatSync(path).ino], ['earlier later', inode]);
});

t.test(
  'a link stays, and the file that it leads to is replaced; one that leads nowhere is refused',
  unix,
  async (t) => {
    const folder = t.testdir({ there: { 'real.bin': 'earlier' } });
    const path = join(folder, 'link.bin');
    symlinkSync(join('there', 'real.bin'), path);
    await t.rejects(OutputFile.at(path, { signal }), CommandFailure);
    const file = await OutputFile.at(path, { force: true, signal });
    await file.write([bytes('new')]);
    t.ok(lstatSync(path).isSymbolicLink());
    t.same([file.path, readFileSync(join(folder, 'there', 'real.bin'), 'utf8')], [path, 'new']);
    t.same(readdirSync(join(folder, 'there')), ['real.bin']);
    symlinkSync('nowhere', join(folder, 'lost.bin'));
    for (const force of [false, true]) {
      await t.rejects(OutputFile.at(join(folder, 'lost.bin'), { force, signal }), CommandFailure);
    }
  },
);

t.test('an output that cannot be a file is refused before any request is sent', unix, async (t) => {
  // The name of a socket has at most some hundred characters.
  const folder = mkdtempSync(join(tmpdir(), 'rc-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'a.bin'), 'a file');
  const socket = createServer().listen(join(folder, 's'));
  await once(socket, 'listening');
  t.teardown(() => socket.close());
  mkdirSync(join(folder, 'sub'));
  for (const name of ['s', 'sub', 'new/', 'nowhere/a.bin', 'a.bin/b.bin']) {
    await t.rejects(OutputFile.at(`${folder}/${name}`, { force: true, signal }), CommandFailure, name);
  }
});

const shared = existsSync('/dev/shm') ? {} : { skip: 'this system has no files among its devices' };

t.test(
  'an ordinary file among the devices is a file: it is replaced by force alone, and never added to',
  shared,
  async (t) => {
    const folder = mkdtempSync('/dev/shm/output-file-');
    t.teardown(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'a.bin');
    writeFileSync(path, 'earlier');
    await t.rejects(OutputFile.at(path, { signal }), CommandFailure);
    const file = await OutputFile.at(path, { force: true, signal });
    await file.write([bytes('one')]);
    t.equal(readFileSync(path, 'utf8'), 'one');
  },
);
