import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { BOUNDS, type Bounds, RunCloud, RunCloudError } from '../../../client/sdk/index.ts';
import { mp4 } from '../../support/files.ts';
import { startPouringService } from '../../support/pouring-service.ts';
import { answerJson, type Script, startScriptedHttp } from '../../support/scripted-http.ts';
import { STUBBORN, startStubbornService } from '../../support/stubborn-service.ts';

const SHORT: Partial<Bounds> = {
  answerMs: 150,
  workMs: 150,
  createMs: 150,
  graceMs: 50,
  silenceMs: 150,
  uploadedMs: 150,
};

const cloudAt = (baseUrl: string, bounds: Partial<Bounds> = SHORT, given?: typeof fetch): RunCloud =>
  new RunCloud({ apiKey: 'a-key', baseUrl, bounds, ...(given ? { fetch: given } : {}) });

async function rejected(call: Promise<unknown>): Promise<RunCloudError> {
  const error: unknown = await call.then(
    () => new Error('it resolved'),
    (caught: unknown) => caught,
  );
  if (error instanceof RunCloudError) return error;
  throw error;
}

/** Every call that asks something, except `openUrl`, whose time is the service's own 15 s. */
function everyCall(cloud: RunCloud): Readonly<Record<string, () => Promise<unknown>>> {
  const session = cloud.session({ id: 'ses_1', platform: 'ios' });
  const { recordings } = session;
  const stream = (bytes: Uint8Array) => new Blob([bytes as Uint8Array<ArrayBuffer>]).stream();
  return {
    account: () => cloud.account.get(),
    doctor: () => cloud.doctor(),
    hosts: () => cloud.hosts(),
    'keys.create': () => cloud.keys.create({ name: 'CI' }),
    'keys.list': () => cloud.keys.list(),
    'keys.revoke': () => cloud.keys.revoke('key_1'),
    'tokens.list': () => cloud.tokens.list(),
    'tokens.revoke': () => cloud.tokens.revoke('tok_1'),
    'sessions.create': () => cloud.sessions.create({ platform: 'ios' }),
    'sessions.get': () => cloud.sessions.get('ses_1'),
    'sessions.list': () => cloud.sessions.list(),
    'sessions.delete': () => cloud.sessions.delete('ses_1'),
    'links.create': () => cloud.sessions.links.create('ses_1', { role: 'view' }),
    'links.list': () => cloud.sessions.links.list('ses_1'),
    'links.revoke': () => cloud.sessions.links.revoke('ses_1', 'lnk_1'),
    'assets.upload': () => cloud.assets.upload(new Uint8Array(5)),
    'assets.upload of a stream': () =>
      cloud.assets.upload({ stream: stream(new Uint8Array(9_000_000)), byteSize: 9_000_000 }),
    'assets.get': () => cloud.assets.get('ast_1'),
    'assets.list': () => cloud.assets.list(),
    'assets.delete': () => cloud.assets.delete('ast_1'),
    'session.read': () => session.read(),
    'session.delete': () => session.delete(),
    'session.connect': () => session.connect({ timeoutMs: 150 }),
    'recordings.start': () => recordings.start(),
    'recordings.get': () => recordings.get('rec_1'),
    'recordings.list': () => recordings.list(),
    'recordings.stop': () => recordings.stop('rec_1'),
    'recordings.download': () => recordings.download('rec_1'),
    'clipboard.read': () => session.clipboard.read(),
    'clipboard.write': () => session.clipboard.write('text'),
    tap: () => session.tap(0, 0, { timeoutMs: 100 }),
    screenshot: () => session.screenshot({ timeoutMs: 100 }),
  };
}

for (const manner of STUBBORN) {
  t.test(`every call has an end where a service is stubborn: ${manner}`, async (t) => {
    const cloud = cloudAt(await startStubbornService(t, manner));
    const calls = Object.entries(everyCall(cloud));
    const failures = await Promise.all(calls.map(async ([, call]) => rejected(call())));
    for (const [index, [name]] of calls.entries()) {
      const { code, interactionStatus } = failures[index] ?? {};
      // An answer whose head already shows that it is no recording, picture or socket is refused at once.
      if (manner !== 'silent' && code?.endsWith('invalid_response')) continue;
      t.match([code, interactionStatus], [/timeout$/, 'timed_out'], `${name}: ${code}`);
    }
  });
}

t.test('a call has an end where the runtime does not look at its signal, or the key does not come', async (t) => {
  const never = () => new Promise<never>(() => undefined);
  const deaf = cloudAt('http://127.0.0.1:1', SHORT, never);
  t.match(await rejected(deaf.account.get()), { code: 'request_timeout' });
  const bodiless = cloudAt('http://127.0.0.1:1', SHORT, async () => {
    const body = new ReadableStream({ pull: never });
    return new Response(body, { headers: { 'Content-Type': 'application/json' } });
  });
  t.match(await rejected(bodiless.account.get()), { code: 'request_timeout' });
  const keyless = new RunCloud({ apiKey: never, baseUrl: 'http://127.0.0.1:1', bounds: SHORT });
  t.match(await rejected(keyless.account.get()), { code: 'request_timeout' });
});

t.test('an answer without an end is refused, and read no further', async (t) => {
  const json = { 'Content-Type': 'application/json' };
  const small = { jsonBytes: 1_000_000, screenshotBytes: 1_000_000 };
  for (const [status, headers, code, call] of [
    [200, json, 'invalid_response', (cloud: RunCloud) => cloud.account.get()],
    [500, json, 'invalid_response', (cloud: RunCloud) => cloud.sessions.list()],
    [200, { 'Content-Type': 'image/png' }, 'screenshot_invalid_response', screenshotOf],
  ] as const) {
    const { url, poured, seen } = await startPouringService(t, status, headers);
    const error = await rejected(call(cloudAt(url, small)));
    t.match(error, { code, retryable: false });
    t.ok(poured.bytes < 16_000_000, `${poured.bytes} bytes`);
    t.equal(seen.length, 1, 'asked once');
  }
});

const screenshotOf = (cloud: RunCloud) => cloud.session({ id: 'ses_1', platform: 'ios' }).screenshot();

t.test('an answer that promises too much is refused before it is read', async (t) => {
  const headers = { 'Content-Type': 'application/json', 'Content-Length': '300000000' };
  const { url, poured } = await startPouringService(t, 200, headers);
  const error = await rejected(cloudAt(url, {}).account.get());
  t.match(error, { code: 'invalid_response', detail: /longer than 16777216 bytes/ });
  t.ok(poured.bytes < 16_000_000, `${poured.bytes} bytes`);
});

t.test('an answer is read to its end up to the bound, also in many small pieces', async (t) => {
  const account = { id: 'acc_1', name: 'x'.repeat(50_000) };
  const body = Buffer.from(JSON.stringify(account));
  const { url } = await startScriptedHttp(t, (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    for (let at = 0; at < body.length; at += 7) response.write(body.subarray(at, at + 7));
    response.end();
  });
  t.same(await cloudAt(url, { jsonBytes: body.length }).account.get(), account);
  t.match(await rejected(cloudAt(url, { jsonBytes: body.length - 1 }).account.get()), { code: 'invalid_response' });
});

/** A store behind a service, which answers for the file as `serve` says. */
async function recordingsOf(
  t: Test,
  bounds: Partial<Bounds>,
  serve: (response: ServerResponse) => void | Promise<void>,
) {
  const script: Script = ({ path }, response) => {
    if (path === '/file') return serve(response);
    return void response.writeHead(302, { Location: '/file' }).end();
  };
  const { url } = await startScriptedHttp(t, script);
  return cloudAt(url, bounds).session({ id: 'ses_1', platform: 'ios' }).recordings;
}

t.test('a file that does not move on is given up, and one that does takes as long as it takes', async (t) => {
  const file = mp4(Buffer.alloc(500_000, 7));
  const bounds = { ...SHORT, silenceMs: 300 };
  const dripping = await recordingsOf(t, bounds, (response) => {
    response.writeHead(200, { 'Content-Type': 'video/mp4' });
    let at = 0;
    const timer = setInterval(() => response.write(file.subarray(at, ++at)), 20);
    response.on('close', () => clearInterval(timer));
  });
  t.match(await rejected(dripping.download('rec_1')), {
    code: 'request_timeout',
    detail: 'The file does not move on.',
  });
  const headless = await recordingsOf(t, bounds, () => undefined);
  t.match(await rejected(headless.download('rec_1')), { code: 'request_timeout' });
  const slow = await recordingsOf(t, bounds, async (response) => {
    response.writeHead(200, { 'Content-Type': 'video/mp4' });
    for (let at = 0; at < file.length; at += 70_000) {
      await sleep(100);
      response.write(file.subarray(at, at + 70_000));
    }
    response.end();
  });
  t.equal((await slow.download('rec_1')).length, file.length, 'longer in all than the silence that is borne');
});

t.test('a program that reads a file slowly does not cause a timeout of the service', async (t) => {
  const file = mp4(Buffer.alloc(500_000, 7));
  const recordings = await recordingsOf(t, { ...SHORT, silenceMs: 100 }, (response) => {
    response.writeHead(200, { 'Content-Type': 'video/mp4' }).end(file);
  });
  const { stream } = await recordings.stream('rec_1');
  let count = 0;
  let first = true;
  for await (const chunk of stream) {
    if (first) await sleep(400);
    first = false;
    count += chunk.length;
  }
  t.equal(count, file.length);
});

t.test('a file that is longer than it may be is refused, by its promise or by its bytes', async (t) => {
  const file = mp4(Buffer.alloc(500_000, 7));
  for (const headers of [{}, { 'Content-Length': String(file.length) }]) {
    const recordings = await recordingsOf(t, { heldBytes: 100_000 }, (response) => {
      response.writeHead(200, { 'Content-Type': 'video/mp4', ...headers }).end(file);
    });
    t.match(await rejected(recordings.download('rec_1')), {
      code: 'invalid_response',
      detail: /more than 100000 bytes/,
    });
  }
});

t.test('an upload takes as long as it moves on, and is given up where nothing is taken', async (t) => {
  let takes = true;
  const server = createServer((request, response) => {
    const read = async () => {
      // The first piece may be large: what matters is that it goes on.
      for await (const _piece of request) await sleep(10);
      answerJson(response, 201, { id: 'ast_1' });
    };
    if (takes) read().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const bounds = { ...SHORT, silenceMs: 2_000, uploadedMs: 20_000 };
  const bytes = new Uint8Array(24_000_000);
  const startedMs = performance.now();
  t.match(await cloudAt(url, bounds).assets.upload(bytes), { id: 'ast_1' });
  t.ok(performance.now() - startedMs > bounds.silenceMs, 'longer in all than the silence that is borne');
  takes = false;
  t.match(await rejected(cloudAt(url, { ...bounds, uploadedMs: 1_000 }).assets.upload(bytes)), {
    code: 'request_timeout',
  });
});

t.test('an upload whose own source is slow is not the service being silent', async (t) => {
  const { url } = await startScriptedHttp(t, (_request, response) => answerJson(response, 201, { id: 'ast_1' }));
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await sleep(400);
      controller.enqueue(new Uint8Array(5));
      controller.close();
    },
  });
  t.match(await cloudAt(url).assets.upload({ stream, byteSize: 5 }), { id: 'ast_1' });
});

t.test('a Retry-After that nobody can wait for is not passed on', async (t) => {
  for (const [text, retryAfterMs] of [
    ['5', 5_000],
    ['1e300', undefined],
    ['-1', undefined],
    ['soon', undefined],
  ] as const) {
    const { url } = await startScriptedHttp(t, (_request, response) => {
      const error = { code: 'rate_limited', message: 'Too many.', retryable: true };
      answerJson(response, 429, { ok: false, error }, { 'Retry-After': text });
    });
    t.equal((await rejected(cloudAt(url).account.get())).retryAfterMs, retryAfterMs, text);
  }
});

t.test('the default bounds of a client', (t) => {
  t.matchSnapshot(BOUNDS);
  t.end();
});

t.test('a key that does not come keeps no socket from being given up', async (t) => {
  const apiKey = () => new Promise<never>(() => undefined);
  const cloud = new RunCloud({ apiKey, baseUrl: 'http://127.0.0.1:1', bounds: { connectMs: 150 } });
  const session = cloud.session({ id: 'ses_1', platform: 'ios' });
  t.match(await rejected(session.connect()), { code: 'request_timeout', operation: 'connect' });
});

t.test('a list of what is no session is refused as a wrong answer', async (t) => {
  for (const record of [
    null,
    5,
    {},
    { id: '', platform: 'ios' },
    { id: 'x'.repeat(500), platform: 'ios' },
    { id: 'a' },
  ]) {
    const { url } = await startScriptedHttp(t, (_request, response) =>
      answerJson(response, 200, { sessions: [record] }),
    );
    t.match(await rejected(cloudAt(url).sessions.list()), { code: 'invalid_response' }, JSON.stringify(record));
  }
});
