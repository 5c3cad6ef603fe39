import sharp from 'sharp';
import t, { type Test } from 'tap';
import { RunCloud, RunCloudError } from '../../../client/sdk/index.ts';
import { box, mp4 } from '../../support/files.ts';
import { answerJson, failure, type Script, startScriptedHttp } from '../../support/scripted-http.ts';

const HOME = '/service/ios/ses_1/recordings';
const FILE = mp4();
const RECORD = { id: 'rec_1', sessionId: 'ses_1', organizationId: 'org_1', status: 'recording', createdAt: 'now' };

async function scripted(t: Test, script: Script) {
  const service = await startScriptedHttp(t, script);
  const cloud = new RunCloud({ apiKey: 'a-key', baseUrl: service.url });
  return { service, recordings: cloud.session({ id: 'ses_1', platform: 'ios' }).recordings };
}

/** A service whose download leads to `store`. */
const leadingTo =
  (location: string | undefined): Script =>
  (_request, response) =>
    void response.writeHead(302, location === undefined ? {} : { Location: location }).end();

const serving =
  (bytes: Uint8Array, headers: Readonly<Record<string, string>> = {}): Script =>
  (_request, response) =>
    void response
      .writeHead(200, { 'Content-Type': 'video/mp4', 'Content-Length': `${bytes.length}`, ...headers })
      .end(bytes);

async function codeOf(call: Promise<unknown>): Promise<string> {
  const error: unknown = await call.catch((caught: unknown) => caught);
  if (error instanceof RunCloudError) return error.code;
  throw error instanceof Error ? error : new Error('it resolved');
}

t.test('a recording is started, read, listed and stopped at its addresses', async (t) => {
  const { recordings, service } = await scripted(t, ({ method, path }, response) => {
    answerJson(
      response,
      method === 'POST' && path === HOME ? 201 : 200,
      path === HOME && method === 'GET' ? { recordings: [RECORD] } : RECORD,
    );
  });
  t.same(await recordings.start({ idempotencyKey: 'build 7' }), RECORD);
  t.same(await recordings.start(), RECORD);
  t.same(await recordings.get('rec_1'), RECORD);
  t.same(await recordings.list(), [RECORD]);
  t.same(await recordings.stop('rec_1'), RECORD);
  t.same(
    service.seen.map(({ method, path }) => `${method} ${path}`),
    [`POST ${HOME}`, `POST ${HOME}`, `GET ${HOME}/rec_1`, `GET ${HOME}`, `POST ${HOME}/rec_1/stop`],
  );
  t.equal(service.seen[0]?.headers['idempotency-key'], 'build 7');
  t.match(service.seen[1]?.headers['idempotency-key'], /^req_/, 'a lost answer can be asked for again');
  t.equal(service.seen[0]?.body.length, 0, 'without a body');
  t.equal(service.seen[2]?.headers.authorization, 'Bearer a-key');
});

t.test('a poster is the JPEG that came whole, or an error', async (t) => {
  const jpeg = await sharp({ create: { width: 7, height: 5, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer();
  const answers: readonly (readonly [string, Uint8Array])[] = [
    ['image/jpeg', jpeg],
    ['image/png', jpeg],
    ['image/jpeg', Buffer.alloc(64 * 1_048_576 + 1)],
  ];
  const { recordings, service } = await scripted(t, (_request, response, index) => {
    const [type = '', bytes] = answers[index] ?? [];
    response.writeHead(200, { 'Content-Type': type }).end(bytes);
  });
  t.equal(Buffer.compare(await recordings.poster('rec_1'), jpeg), 0);
  t.equal(`${service.seen[0]?.method} ${service.seen[0]?.path}`, `GET ${HOME}/rec_1/poster`);
  for (const [type, bytes] of answers.slice(1)) {
    t.equal(await codeOf(recordings.poster('rec_1')), 'invalid_response', `${type}, ${bytes.length} bytes`);
  }
  const early = await scripted(t, (_request, response) => answerJson(response, 409, failure('recording_not_ready')));
  t.equal(await codeOf(early.recordings.poster('rec_1')), 'recording_not_ready');
  const cut = await scripted(t, (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'image/jpeg', 'Content-Length': jpeg.length });
    response.write(jpeg.subarray(0, -1), () => response.destroy());
  });
  t.equal(await codeOf(cut.recordings.poster('rec_1')), 'transport_error', 'a part of one is none');
});

t.test('an id cannot lead to another address', async (t) => {
  const { recordings, service } = await scripted(t, (_request, response) => answerJson(response, 200, RECORD));
  await recordings.get('../../../sessions?x=1#y');
  t.equal(service.seen[0]?.path, `${HOME}/..%2F..%2F..%2Fsessions%3Fx%3D1%23y`);
});

t.test('a file is downloaded from where the service leads, which never gets the key', async (t) => {
  const store = await startScriptedHttp(t, serving(FILE));
  const { recordings, service } = await scripted(t, leadingTo(`${store.url}/objects/1?signature=abc`));
  const bytes = await recordings.download('rec_1');
  t.equal(Buffer.compare(bytes, FILE), 0);
  t.equal(service.seen[0]?.headers.authorization, 'Bearer a-key');
  t.equal(store.seen[0]?.path, '/objects/1?signature=abc');
  t.equal(store.seen[0]?.headers.authorization, undefined);
  const { stream, byteSize, contentType } = await recordings.stream('rec_1');
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  t.same([byteSize, contentType], [FILE.length, 'video/mp4']);
  t.equal(Buffer.compare(Buffer.concat(chunks), FILE), 0);
});

t.test('a relative reference, and one that leads on, are followed without the key', async (t) => {
  const { recordings, service } = await scripted(t, (request, response, index) => {
    if (request.path.endsWith('/download')) return leadingTo('/retrieval/1')(request, response, index);
    if (request.path === '/retrieval/1') return leadingTo('2?s=1')(request, response, index);
    return serving(FILE)(request, response, index);
  });
  t.equal(Buffer.compare(await recordings.download('rec_1'), FILE), 0);
  t.same(
    service.seen.map(({ path, headers }) => [path, headers.authorization]),
    [
      [`${HOME}/rec_1/download`, 'Bearer a-key'],
      ['/retrieval/1', undefined],
      ['/retrieval/2?s=1', undefined],
    ],
  );
});

t.test('a download that is no whole MP4 is not passed on', async (t) => {
  const wrong: readonly [string, Script][] = [
    ['cut off at a box', serving(FILE.subarray(0, 20 + 8 + 108))],
    ['cut off in a box', serving(FILE.subarray(0, -100))],
    ['another file', serving(Buffer.from('<html>an error page</html>'))],
    ['no picture data', serving(Buffer.concat([box('ftyp'), box('moov')]))],
    ['another content type', serving(FILE, { 'Content-Type': 'text/html' })],
    ['no content type', (_q, response) => void response.writeHead(200).end(FILE)],
    ['an expired reference', (_q, response) => answerJson(response, 403, failure('not_found'))],
    ['a redirect without end', (_q, response) => void response.writeHead(302, { Location: '/again' }).end()],
    ['nothing', (_q, response) => void response.writeHead(204).end()],
  ];
  for (const [name, script] of wrong) {
    const store = await startScriptedHttp(t, script);
    const { recordings } = await scripted(t, leadingTo(`${store.url}/1`));
    t.equal(await codeOf(recordings.download('rec_1')), 'invalid_response', name);
  }
  for (const location of [undefined, 'ftp://a.example/1', 'http://', 'data:video/mp4,x']) {
    const { recordings } = await scripted(t, leadingTo(location));
    t.equal(await codeOf(recordings.download('rec_1')), 'invalid_response', `${location}`);
  }
  const { recordings } = await scripted(t, serving(FILE));
  t.equal(await codeOf(recordings.download('rec_1')), 'invalid_response', 'a service that does not lead on');
});

t.test('a stream throws at its end where what passed is no whole MP4', async (t) => {
  const wrong: Readonly<Record<string, Buffer>> = {
    'cut off at a box': FILE.subarray(0, 20 + 8 + 108),
    'cut off in a box': FILE.subarray(0, -100),
    'cut off in the head of a box': FILE.subarray(0, 20 + 4),
    'another container': Buffer.concat([box('RIFF'), box('moov'), box('mdat', Buffer.alloc(5_000, 7))]),
    'an error page': Buffer.from('<html>an error page</html>'),
    'no picture data': Buffer.concat([box('ftyp'), box('moov')]),
    nothing: Buffer.alloc(0),
  };
  for (const [name, bytes] of Object.entries(wrong)) {
    const store = await startScriptedHttp(t, serving(bytes));
    const { recordings } = await scripted(t, leadingTo(`${store.url}/1`));
    const { stream, byteSize } = await recordings.stream('rec_1');
    t.equal(byteSize, bytes.length);
    const passed: Uint8Array[] = [];
    const read = async () => {
      for await (const chunk of stream) passed.push(chunk);
    };
    await t.rejects(read(), { name: 'RunCloudError', code: 'invalid_response' }, name);
    t.equal(Buffer.compare(Buffer.concat(passed), bytes), 0, 'all of it had passed');
  }
});

t.test('a connection that breaks in the middle of a file is told of', async (t) => {
  const store = await startScriptedHttp(t, (_request, response) => {
    response
      .writeHead(200, { 'Content-Type': 'video/mp4', 'Content-Length': `${FILE.length}` })
      .write(FILE.subarray(0, 300));
    setTimeout(() => response.destroy(), 20);
  });
  const { recordings } = await scripted(t, leadingTo(`${store.url}/1`));
  t.equal(await codeOf(recordings.download('rec_1')), 'transport_error');
});

t.test('an abort ends a download in its middle, with its reason', async (t) => {
  const store = await startScriptedHttp(t, (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'video/mp4' }).write(FILE.subarray(0, 300));
  });
  const { recordings } = await scripted(t, leadingTo(`${store.url}/1`));
  const controller = new AbortController();
  const reason = new Error('the reason');
  setTimeout(() => controller.abort(reason), 100);
  t.equal(await recordings.download('rec_1', { signal: controller.signal }).catch((error: unknown) => error), reason);
});

t.test('failures of the service come through', async (t) => {
  const { recordings } = await scripted(t, (_request, response) => {
    answerJson(response, 409, failure('recording_not_ready', true, { sessionId: 'ses_1' }));
  });
  const error: unknown = await recordings.download('rec_1').catch((caught: unknown) => caught);
  t.match(error, { code: 'recording_not_ready', status: 409, retryable: true, operation: 'recordings.download' });
});
