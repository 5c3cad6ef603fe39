import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RecordingDetails, RecordingList, RecordingRecord, type SessionRecord } from '@runcloud/protocol';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import t from 'tap';
import { decodeJournal } from '../../server/capture/journal.ts';
import { DRIVERS } from '../conformance/drivers.ts';
import { withFfmpeg } from '../host/stream/ffmpeg.ts';
import { ControlClient } from '../support/control-client.ts';
import { complaints, probe } from '../support/mp4-judges.ts';
import { startServer } from '../support/server.ts';

const server = await startServer({ RUNCLOUD_DEVICES: 'virtual-ios:8,virtual-android:2' });
t.teardown(() => server.close());
const { rest } = server;

const isRecord = TypeCompiler.Compile(RecordingRecord);
const isDetails = TypeCompiler.Compile(RecordingDetails);
const isList = TypeCompiler.Compile(RecordingList);

const address = ({ platform, id }: SessionRecord, rest = '') => `/service/${platform}/${id}/recordings${rest}`;

async function start(session: SessionRecord, key?: string) {
  const headers: Record<string, string> = key === undefined ? {} : { 'Idempotency-Key': key };
  const response = await rest.fetch(address(session), { method: 'POST', headers });
  return { status: response.status, body: (await response.json()) as RecordingRecord };
}

const stop = (session: SessionRecord, id: string) =>
  rest.call<RecordingRecord>('POST', address(session, `/${id}/stop`));

t.test('a recording of a moving screen is started, stopped, downloaded, and what it claims to be', async (t) => {
  const session = await rest.createSession('ios');
  const virtual = DRIVERS.find(({ name }) => name.startsWith('virtual'));
  const socket = await ControlClient.connect(server.url, session, rest.authorization);
  const begun = await start(session);
  t.equal(begun.status, 201);
  t.ok(isRecord.Check(begun.body), isRecord.Errors(begun.body).First()?.path ?? '');
  t.equal(begun.body.status, 'recording');
  const motion = virtual?.icon(session, 'motion') ?? { x: 0.5, y: 0.5 };
  t.equal((await rest.interact(session, { action: 'tap', ...motion })).status, 200);
  await sleep(2_000);
  // A busy machine takes longer to make the pictures that are looked for below.
  const journal = join(server.dataDir, 'recordings', `${begun.body.id}.journal`);
  const samples = () => decodeJournal(readFileSync(journal)).filter(({ kind }) => kind === 'sample').length;
  while (samples() <= 20) await sleep(50);
  const stopped = await stop(session, begun.body.id);
  t.equal(stopped.status, 200);
  t.equal(stopped.body.status, 'ready');
  const { id, durationMs = 0, byteSize = 0, checksum, etag = '', downloadUrl = '' } = stopped.body;
  t.ok(durationMs >= 1_900, `${durationMs} ms`);
  t.strictSame(readdirSync(join(server.dataDir, 'recordings')), [`${id}.mp4`]);

  const details = await rest.call<RecordingDetails>('GET', address(session, `/${id}`));
  t.ok(isDetails.Check(details.body), isDetails.Errors(details.body).First()?.path ?? '');
  const list = await rest.call<RecordingList>('GET', address(session));
  t.ok(isList.Check(list.body));
  t.strictSame(list.body.recordings, [stopped.body]);
  await socket.next('event', (event) => event.event === 'recording' && event.recording.status === 'ready');
  const told = socket.messages.flatMap((message) =>
    message.type === 'event' && message.event === 'recording' ? [message.recording.status] : [],
  );
  t.strictSame(told, ['starting', 'recording', 'finalizing', 'ready']);
  await socket.close();

  const redirect = await rest.fetch(downloadUrl, { redirect: 'manual' });
  t.equal(redirect.status, 302);
  t.equal(redirect.headers.get('cache-control'), 'no-store');
  const location = redirect.headers.get('location') ?? '';
  const file = await fetch(new URL(location, server.url));
  t.equal(file.status, 200);
  t.match(Object.fromEntries(file.headers), {
    'content-type': 'video/mp4',
    'content-length': String(byteSize),
    etag,
    'accept-ranges': 'bytes',
    'content-disposition': `attachment; filename="${id}.mp4"`,
    'x-content-type-options': 'nosniff',
  });
  const bytes = Buffer.from(await file.arrayBuffer());
  t.equal(bytes.length, byteSize);
  t.equal(`sha256:${createHash('sha256').update(bytes).digest('hex')}`, checksum);
  const followed = Buffer.from(await (await rest.fetch(downloadUrl)).arrayBuffer());
  t.equal(Buffer.compare(followed, bytes), 0, 'a client that follows redirects gets the file in one call');

  // A second judge, where there is one.
  if (!('skip' in withFfmpeg())) {
    const path = join(t.testdir(), 'download.mp4');
    await writeFile(path, bytes);
    const { streams, format } = await probe(path);
    t.match(streams, [{ codec_type: 'video', codec_tag_string: 'avc1', width: 590, height: 1280 }]);
    t.ok(Math.abs(Number(format.duration) * 1_000 - durationMs) < 50, `${format.duration} s`);
    t.ok(Number(streams[0]?.nb_frames) > 20, `${streams[0]?.nb_frames} pictures of what moves`);
    t.equal(await complaints(path), '');
  }
});

t.test('ranges, conditions and HEAD follow RFC 9110 to the byte', async (t) => {
  const session = await rest.createSession('ios');
  const { id } = (await start(session)).body;
  const { byteSize = 0, etag = '' } = (await stop(session, id)).body;
  const whole = Buffer.from(await (await rest.fetch(address(session, `/${id}/download`))).arrayBuffer());
  const redirect = await rest.fetch(address(session, `/${id}/download`), { redirect: 'manual' });
  const url = new URL(redirect.headers.get('location') ?? '', server.url);
  const ask = (headers: Record<string, string>, method = 'GET') => fetch(url, { method, headers });
  const full = `bytes 0-${byteSize - 1}/${byteSize}`;
  const cases: readonly (readonly [Record<string, string>, number, string | null, number, number])[] = [
    [{}, 200, null, 0, byteSize],
    [{ Range: 'bytes=0-' }, 206, full, 0, byteSize],
    [{ Range: 'bytes=0-99' }, 206, `bytes 0-99/${byteSize}`, 0, 100],
    [{ Range: 'bytes=100-100' }, 206, `bytes 100-100/${byteSize}`, 100, 101],
    [{ Range: 'bytes=-5' }, 206, `bytes ${byteSize - 5}-${byteSize - 1}/${byteSize}`, byteSize - 5, byteSize],
    [{ Range: 'bytes=-99999999999' }, 206, full, 0, byteSize],
    [{ Range: `bytes=7-99999999999` }, 206, `bytes 7-${byteSize - 1}/${byteSize}`, 7, byteSize],
    [{ Range: 'bytes=0-1,3-4' }, 200, null, 0, byteSize],
    [{ Range: 'lines=0-1' }, 200, null, 0, byteSize],
    [{ Range: 'bytes=5-1' }, 200, null, 0, byteSize],
    [{ Range: 'bytes=0-9', 'If-Range': etag }, 206, `bytes 0-9/${byteSize}`, 0, 10],
    [{ Range: 'bytes=0-9', 'If-Range': '"other"' }, 200, null, 0, byteSize],
    [{ Range: 'bytes=0-9', 'If-Range': `W/${etag}` }, 200, null, 0, byteSize],
    [{ Range: 'bytes=0-9', 'If-Range': 'Fri, 20 Nov 2026 22:00:00 GMT' }, 200, null, 0, byteSize],
    [{ 'If-None-Match': '"other"' }, 200, null, 0, byteSize],
  ];
  for (const [headers, status, contentRange, from, to] of cases) {
    const name = JSON.stringify(headers);
    const response = await ask(headers);
    const bytes = Buffer.from(await response.arrayBuffer());
    t.strictSame([response.status, response.headers.get('content-range')], [status, contentRange], name);
    t.equal(response.headers.get('content-length'), String(to - from), name);
    t.equal(Buffer.compare(bytes, whole.subarray(from, to)), 0, name);
    const head = await ask(headers, 'HEAD');
    t.strictSame([head.status, head.headers.get('content-length')], [200, String(byteSize)], `HEAD ${name}`);
    t.equal(head.headers.get('etag'), etag);
  }
  for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
    for (const method of ['GET', 'HEAD']) {
      const response = await ask({ 'If-None-Match': tag, Range: 'bytes=0-9' }, method);
      t.strictSame([response.status, await response.text(), response.headers.get('etag')], [304, '', etag]);
    }
  }
  for (const range of [`bytes=${byteSize}-`, 'bytes=-0', 'bytes=99999999999-']) {
    const response = await ask({ Range: range });
    t.strictSame([response.status, response.headers.get('content-range')], [416, `bytes */${byteSize}`], range);
    t.match(await response.json(), { ok: false, error: { code: 'range_not_satisfiable', retryable: false } });
    t.equal((await ask({ Range: range }, 'HEAD')).status, 200, 'a range counts for GET only');
  }
});

t.test('a reference that was altered, is of another recording, or is none, is refused', async (t) => {
  const session = await rest.createSession('ios');
  const first = (await start(session)).body.id;
  await stop(session, first);
  const second = (await start(session)).body.id;
  await stop(session, second);
  const redirect = await rest.fetch(address(session, `/${first}/download`), { redirect: 'manual' });
  const location = redirect.headers.get('location') ?? '';
  t.equal((await fetch(server.url + location)).status, 200);
  const flip = (text: string, at: number) => text.slice(0, at) + (text[at] === '1' ? '2' : '1') + text.slice(at + 1);
  const signedFrom = location.indexOf('=') + 1;
  const altered = Array.from({ length: location.length - signedFrom }, (_, at) => flip(location, signedFrom + at));
  for (const path of [
    ...altered,
    location.replace(first, second),
    `/retrieve/${first}`,
    `/retrieve/${first}?reference=`,
    '/retrieve/rec_unknown?reference=v1.1.x',
  ]) {
    const response = await fetch(server.url + path);
    t.equal(response.status, 403, path);
    t.match(await response.json(), { ok: false, error: { code: 'retrieval_reference_invalid', retryable: false } });
  }
});

t.test('a second start is refused by name; a repeated key and an ended one are answered', async (t) => {
  const session = await rest.createSession('ios');
  const first = await start(session, 'build 7');
  t.equal(first.status, 201);
  const again = await start(session, 'build 7');
  t.strictSame(again, { status: 200, body: first.body });
  const second = await start(session, 'build 8');
  t.equal(second.status, 409);
  t.match(second.body, { ok: false, error: { code: 'recording_already_active', message: new RegExp(first.body.id) } });
  const download = await rest.call('GET', address(session, `/${first.body.id}/download`));
  t.match(download, { status: 409, body: { error: { code: 'recording_not_ready', retryable: true } } });
  for (const key of ['x'.repeat(201), 'aüb']) {
    const refused = await start(session, key);
    t.match(refused, { status: 400, body: { error: { code: 'invalid_recording_request' } } });
  }
  const stops = await Promise.all(Array.from({ length: 20 }, () => stop(session, first.body.id)));
  for (const { status, body } of stops) t.strictSame([status, body], [200, stops[0]?.body]);
});

t.test('a release finalizes the recording, which is then read and downloaded with the released session', async (t) => {
  const session = await rest.createSession('android');
  const { id } = (await start(session)).body;
  const released = await rest.releaseSession(session.id);
  t.match(released, { status: 200, body: { status: 'released' } });
  const details = await rest.call<RecordingDetails>('GET', address(session, `/${id}`));
  t.match(details, { status: 200, body: { id, status: 'ready' } });
  t.match((await stop(session, id)).body, { id, status: 'ready' });
  t.equal((await rest.call<RecordingList>('GET', address(session))).body.recordings.length, 1);
  t.equal((await rest.fetch(address(session, `/${id}/download`))).headers.get('content-type'), 'video/mp4');
  const refused = await start(session);
  t.match(refused, { status: 404, body: { error: { code: 'active_session_not_found' } } });
});

t.test('a start that is repeated after the end of its session gets its recording, and nobody else does', async (t) => {
  const session = await rest.createSession('ios');
  const { id } = (await start(session, 'lost answer')).body;
  await rest.releaseSession(session.id);
  t.match(await start(session, 'lost answer'), { status: 200, body: { id, status: 'ready' } });
  const refusal = { status: 404, body: { error: { code: 'active_session_not_found' } } };
  t.match(await start(session, 'another'), refusal);
  t.match(await start({ ...session, platform: 'android' }, 'lost answer'), refusal, 'not on the other platform');
  const response = await server.addAccount('keyed-stranger').rest.fetch(address(session), {
    method: 'POST',
    headers: { 'Idempotency-Key': 'lost answer' },
  });
  t.match({ status: response.status, body: await response.json() }, refusal);
});

t.test('unknown ids, foreign sessions and the other platform answer alike', async (t) => {
  const session = await rest.createSession('ios');
  const { id } = (await start(session)).body;
  await stop(session, id);
  const stranger = server.addAccount('stranger');
  const made = 'rec_0123456789ABCDEFGHIJKL';
  const neighbour = await rest.createSession('ios');
  for (const tail of ['', `/${id}`, `/${id}/download`]) {
    const foreign = await stranger.rest.call('GET', address(session, tail));
    const unknown = await rest.call('GET', address({ ...session, id: 'ses_0123456789ABCDEFGHIJKL' }, tail));
    const turned = await rest.call('GET', address({ ...session, platform: 'android' }, tail));
    for (const answer of [foreign, unknown, turned]) {
      t.match(answer, {
        status: 404,
        body: { error: { code: 'session_not_found', message: foreign.body.error?.message } },
      });
    }
  }
  for (const [where, recording] of [
    [session, made],
    [neighbour, id],
  ] as const) {
    for (const [method, tail] of [
      ['GET', ''],
      ['GET', '/download'],
      ['POST', '/stop'],
    ] as const) {
      const answer = await rest.call(method, address(where, `/${recording}${tail}`));
      t.match(answer, { status: 404, body: { error: { code: 'recording_not_found' } } });
    }
  }
  const keyless = await fetch(server.url + address(session));
  t.equal(keyless.status, 401);
  const wrong = await rest.call('DELETE', address(session, `/${id}`));
  t.equal(wrong.status, 405);
  t.equal(wrong.headers.get('allow'), 'GET, HEAD');
});

t.test('a stored file that was damaged is not handed out', async (t) => {
  const session = await rest.createSession('ios');
  const { id } = (await start(session)).body;
  await stop(session, id);
  const redirect = await rest.fetch(address(session, `/${id}/download`), { redirect: 'manual' });
  await writeFile(join(server.dataDir, 'recordings', `${id}.mp4`), 'something else');
  const refused = await rest.call('GET', address(session, `/${id}/download`));
  t.match(refused, { status: 502, body: { error: { code: 'recording_object_invalid', retryable: false } } });
  const late = await fetch(server.url + redirect.headers.get('location'));
  t.equal(late.status, 502, 'nor to a reference that was given before');
  t.match(await late.json(), { error: { code: 'recording_object_invalid' } });
});
