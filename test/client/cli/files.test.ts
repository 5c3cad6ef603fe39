import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import t, { type Test } from 'tap';
import { runCommand } from '../../../client/cli/run-command.ts';
import { commandLine, failureOf } from '../../support/command-line.ts';
import { mp4 } from '../../support/files.ts';
import { answerJson, failure, type Script, startScriptedHttp } from '../../support/scripted-http.ts';

const FILE = mp4(Buffer.alloc(300_000, 5));
const READY = {
  id: 'rec_1',
  sessionId: 'ses_1',
  organizationId: 'org_1',
  status: 'ready',
  createdAt: '2026-01-02T03:04:05.006Z',
  durationMs: 2_500,
  byteSize: FILE.length,
  downloadUrl: '/service/ios/ses_1/recordings/rec_1/download',
  events: [{ id: 'e1', type: 'created', at: '2026-01-02T03:04:05.006Z', status: 'starting' }],
};
const ASSET = {
  id: 'ast_1',
  platform: 'android',
  name: 'Demo',
  identifier: 'com.example.demo',
  version: '1.2',
  byteSize: 2_048,
  checksum: 'sha256:0',
  urlSchemes: ['demo'],
  createdAt: '2026-01-02T03:04:05.006Z',
};
const POSTER = Buffer.from('ffd8ffe0ffd9', 'hex');
const SECRET = 'signature-of-the-store';

/** A service with one recording and one app. */
const service: Script = ({ method, path }, response) => {
  const recordings = '/service/ios/ses_1/recordings';
  if (path === '/service/sessions/ses_1') return answerJson(response, 200, { id: 'ses_1', platform: 'ios' });
  if (path.split('?', 1)[0] === recordings && method === 'GET') {
    return answerJson(response, 200, { recordings: [{ ...READY, id: 'rec_2', status: 'recording' }, READY] });
  }
  if (path.endsWith('/download')) return void response.writeHead(302, { Location: `/store/1?s=${SECRET}` }).end();
  if (path.endsWith('/poster')) return void response.writeHead(200, { 'Content-Type': 'image/jpeg' }).end(POSTER);
  if (path.startsWith('/store/'))
    return void response.writeHead(200, { 'Content-Type': 'video/mp4', 'Content-Length': FILE.length }).end(FILE);
  if (path.endsWith('/open-url')) {
    const url = 'demo://cart?x=1%202';
    return answerJson(response, 200, {
      ok: true,
      platform: 'ios',
      sessionId: 'ses_1',
      device: 'dev_1',
      leaseId: 'lse_1',
      url,
    });
  }
  if (path.startsWith('/service/assets')) {
    return answerJson(
      response,
      method === 'POST' ? 201 : 200,
      path === '/service/assets' && method === 'GET' ? { assets: [ASSET] } : ASSET,
    );
  }
  const id = /recordings\/(rec_\d)/.exec(path)?.[1] ?? 'rec_1';
  return answerJson(response, 200, { ...READY, id });
};

async function commands(t: Test, script: Script = service) {
  const { url, seen } = await startScriptedHttp(t, script);
  const folder = t.testdir({ 'demo.apk': 'PK'.repeat(50_000) });
  const env = { RUNCLOUD_API_KEY: 'a-key-that-is-secret', RUNCLOUD_BASE_URL: url, RUNCLOUD_SESSION: 'ses_1' };
  const run = (...args: readonly string[]) => commandLine(args, { env, stateFolder: folder });
  return { folder, env, seen, run };
}

t.test('recordings are started, shown, listed and stopped', async (t) => {
  const { run, seen } = await commands(t);
  t.match((await run('record', 'start', '--idempotency-key', 'build 7', '--json')).stdout, '"id":"rec_1"');
  t.equal(seen.at(-1)?.headers['idempotency-key'], 'build 7');
  t.match(
    (await run('record', 'status', 'rec_1')).stdout,
    /^rec_1 {2}ready {2}\S+ {2}2\.5 s {2}293\.\d KiB\n {2}\S+ {2}created {2}starting\n$/,
  );
  t.match((await run('record', 'list')).stdout, /^rec_2 {2}recording.*\nrec_1 {2}ready.*\n$/);
  t.equal(JSON.parse((await run('record', 'list', '--json')).stdout).recordings.length, 2);
  t.equal(JSON.parse((await run('record', 'stop', '--json')).stdout).id, 'rec_2', 'the active one');
  t.equal(JSON.parse((await run('record', 'stop', 'rec_1', '--json')).stdout).id, 'rec_1');
  const failed = {
    ...READY,
    status: 'failed',
    failure: { stage: 'capture', code: 'device_lost', message: 'It is gone.' },
  };
  const other = await commands(t, (request, response, index) => {
    if (request.path.includes('/recordings'))
      return answerJson(response, 200, request.path.endsWith('s') ? { recordings: [failed] } : failed);
    return service(request, response, index);
  });
  t.match((await other.run('record', 'status', 'rec_1')).stdout, /device_lost: It is gone\./);
  t.match(failureOf(await other.run('record', 'stop')), { error: { code: 'invalid_request', message: /no active/ } });
});

t.test('a download tells where the file is, how long, and its digest, and no address of a store', async (t) => {
  const { run, folder } = await commands(t);
  const path = join(folder, 'demo.mp4');
  const finished = await run('record', 'download', 'rec_1', '-o', path, '--json');
  const sha256 = createHash('sha256').update(FILE).digest('hex');
  t.same(JSON.parse(finished.stdout), {
    ok: true,
    recordingId: 'rec_1',
    path,
    byteSize: FILE.length,
    contentType: 'video/mp4',
    sha256,
  });
  t.equal(Buffer.compare(readFileSync(path), FILE), 0);
  t.match(failureOf(await run('record', 'download', 'rec_1', '-o', path)), { error: { code: 'invalid_request' } });
  const forced = await run('record', 'download', 'rec_1', '-o', path, '--force');
  t.match(forced.stdout, new RegExp(`SHA-256 ${sha256}`));
  t.notMatch(finished.stdout + finished.stderr + forced.stdout, SECRET);
});

t.test('a poster is saved in a file of its name, and goes to standard output as it is', async (t) => {
  const { run, folder, seen } = await commands(t);
  const path = join(folder, 'demo.jpg');
  const { stdout } = await run('record', 'poster', 'rec_1', '-o', path, '--json');
  t.match(JSON.parse(stdout), { ok: true, recordingId: 'rec_1', path, byteSize: 6, contentType: 'image/jpeg' });
  t.equal(Buffer.compare(readFileSync(path), POSTER), 0);
  t.match(failureOf(await run('record', 'poster', 'rec_1', '-o', path)), { error: { code: 'invalid_request' } });
  t.equal((await run('record', 'poster', 'rec_1', '-o', path, '--force')).stdout, `${path} (6 B)\n`);
  const piped = await run('record', 'poster', '-o', '-');
  t.equal(Buffer.compare(piped.bytes, POSTER), 0);
  t.ok(
    seen.some(({ path }) => path.endsWith('/recordings/rec_2/poster')),
    "without an id: the session's last one",
  );
});

t.test("a download without an id is of the session's last recording, in a file of its name", async (t) => {
  const { run, folder, seen } = await commands(t);
  const path = join(folder, 'last.mp4');
  const { stdout } = await run('record', 'download', '-o', path, '--json');
  t.match(JSON.parse(stdout), { ok: true, recordingId: 'rec_2', path });
  t.ok(seen.some(({ path }) => path.endsWith('/recordings/rec_2/download')));
  const none = await commands(t, ({ path }, response) =>
    answerJson(response, 200, path.includes('/recordings') ? { recordings: [] } : { id: 'ses_1', platform: 'ios' }),
  );
  const failed = await none.run('record', 'download');
  t.match([failed.code, failureOf(failed)], [2, { error: { message: 'The session ses_1 has no recording.' } }]);
  t.notOk(readdirSync(none.folder).some((name) => name.endsWith('.mp4')));
});

t.test(
  'a recording is a whole MP4 before its first byte goes to standard output, and the result goes to standard error',
  async (t) => {
    const { run } = await commands(t);
    const sha256 = createHash('sha256').update(FILE).digest('hex');
    for (const name of ['-', '/dev/stdout']) {
      const out = await run('record', 'download', 'rec_1', '-o', name, '--json');
      t.equal(Buffer.compare(out.bytes, FILE), 0, name);
      t.match(JSON.parse(out.stderr), { ok: true, path: '-', byteSize: FILE.length, contentType: 'video/mp4', sha256 });
      t.equal((await run('record', 'download', 'rec_1', '-o', name)).stderr, `- (293.1 KiB, SHA-256 ${sha256})\n`);
    }
    // Cut off at its very end, and in the middle of its data: nearly all of it would have passed.
    for (const broken of [FILE.subarray(0, -1), FILE.subarray(0, 200_000)]) {
      const other = await commands(t, (request, response, index) => {
        if (!request.path.startsWith('/store/')) return service(request, response, index);
        return void response.writeHead(200, { 'Content-Type': 'video/mp4' }).end(broken);
      });
      const finished = await other.run('record', 'download', 'rec_1', '-o', '-');
      t.match([finished.code, failureOf(finished)], [1, { error: { code: 'invalid_response' } }]);
      t.equal(finished.bytes.length, 0, 'not one byte came before');
    }
  },
);

t.test('a download that is cut off, or no MP4, leaves no file', async (t) => {
  for (const broken of [FILE.subarray(0, -5), Buffer.from('<html>')]) {
    const { run, folder } = await commands(t, (request, response, index) => {
      if (!request.path.startsWith('/store/')) return service(request, response, index);
      return void response.writeHead(200, { 'Content-Type': 'video/mp4' }).end(broken);
    });
    const finished = await run('record', 'download', 'rec_1', '-o', join(folder, 'demo.mp4'));
    t.match([finished.code, failureOf(finished)], [1, { error: { code: 'invalid_response' } }]);
    t.same(readdirSync(folder), ['demo.apk']);
    t.notMatch(finished.stderr, SECRET);
  }
});

t.test('a screenshot that is no PNG leaves no file', async (t) => {
  const { run, folder } = await commands(t, (request, response, index) => {
    if (!request.path.endsWith('/screenshot')) return service(request, response, index);
    return void response.writeHead(200, { 'Content-Type': 'image/png' }).end('GIF89a');
  });
  const finished = await run('screenshot', '-o', join(folder, 'a.png'));
  t.match([finished.code, failureOf(finished)], [1, { error: { code: 'screenshot_invalid_response' } }]);
  t.same(readdirSync(folder), ['demo.apk']);
});

t.test('apps are uploaded, listed and deleted', async (t) => {
  const { run, folder, seen } = await commands(t);
  const line = 'ast_1  android  Demo 1.2 (com.example.demo)  2.0 KiB\n';
  t.match(await run('app', 'upload', join(folder, 'demo.apk')), { code: 0, stdout: line, stderr: '' });
  t.equal(seen.at(-1)?.body.toString(), 'PK'.repeat(50_000));
  t.equal(seen.at(-1)?.headers['content-length'], '100000');
  t.same(JSON.parse((await run('app', 'upload', join(folder, 'demo.apk'), '--json')).stdout), ASSET);
  t.equal((await run('app', 'list')).stdout, line);
  t.same(JSON.parse((await run('app', 'list', '--json')).stdout), { assets: [ASSET] });
  t.same(JSON.parse((await run('app', 'delete', 'ast_1', '--json')).stdout), { ok: true, id: 'ast_1' });
  writeFileSync(join(folder, 'empty.apk'), '');
  t.match(failureOf(await run('app', 'upload', join(folder, 'empty.apk'))), { error: { code: 'invalid_request' } });
  const refusing = await commands(t, (_request, response) => answerJson(response, 400, failure('invalid_asset')));
  const refused = await refusing.run('app', 'upload', join(refusing.folder, 'demo.apk'));
  t.match([refused.code, failureOf(refused)], [1, { error: { code: 'invalid_asset' } }]);
});

t.test('a deep link is opened as it is written', async (t) => {
  const { run, seen } = await commands(t);
  const url = 'demo://cart?x=1%202';
  t.equal((await run('open-url', url)).stdout, `${url} opened on dev_1\n`);
  t.same(JSON.parse(seen.at(-1)?.body.toString() ?? ''), { url });
  t.match(JSON.parse((await run('open-url', url, '--json')).stdout), { ok: true, url, leaseId: 'lse_1' });
});

t.test('a person at a terminal sees how far it is, on standard error; a program does not', async (t) => {
  const { env, folder } = await commands(t);
  const seenBy = async (isTTY: boolean, ...more: readonly string[]) => {
    let out = '';
    let err = '';
    const sink = (take: (text: string) => void) =>
      Object.assign(
        new Writable({
          write(chunk, _encoding, done) {
            take(String(chunk));
            done();
          },
        }),
        { isTTY, columns: 80, cursorTo: () => true, clearLine: () => true, moveCursor: () => true },
      );
    const io = {
      stdin: process.stdin,
      stdout: sink((text) => (out += text)),
      stderr: sink((text) => (err += text)),
      env,
      interrupt: new AbortController().signal,
      stateFolder: folder,
      openInBrowser: () => undefined,
    };
    const code = await runCommand(['app', 'upload', join(folder, 'demo.apk'), ...more], io, '1.2.3');
    return { code, out, err };
  };
  const person = await seenBy(true);
  t.match(person, { code: 0, out: /Uploaded Demo 1\.2: .*ast_1/ });
  t.match(person.err, /upload .*100% of 97\.7 KiB/s);
  t.match(await seenBy(true, '--json'), { code: 0, err: '' });
  t.match(await seenBy(false), { code: 0, err: '' });
});
