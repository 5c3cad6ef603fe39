import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RouteName } from '@runcloud/protocol';
import { generate } from 'openapi-typescript-codegen';
import t from 'tap';
import { decodePng } from '../support/picture.ts';
import { startServer, TEST_KEY } from '../support/server.ts';

/** A client that a public generator makes of the running service's own description, as its users would make it. */

const server = await startServer();
t.teardown(() => server.close());
const output = mkdtempSync(join(tmpdir(), 'runcloud-generated-'));
t.teardown(() => rmSync(output, { recursive: true }));
// The generator's own reader goes to no address of this machine.
const document = await (await fetch(`${server.url}/openapi.json`)).json();
await generate({ input: document, output, clientName: 'Generated', useOptions: true });

type Options = Readonly<Record<string, unknown>>;
interface RequestOptions {
  readonly url: string;
  readonly path?: Readonly<Record<string, string>>;
}
// biome-ignore lint/suspicious/noExplicitAny: tests look at answers field by field
type Operations = Readonly<Record<RouteName, (options?: Options) => Promise<any>>>;
/** A service of each chapter, with its operations. */
type Generated = Readonly<Record<string, Partial<Operations>>>;
type Request = new (config: { readonly BASE: string }) => { request(options: RequestOptions): Promise<unknown> };

const code = (await import(join(output, 'index.ts'))) as {
  readonly Generated: new (config: Options, request?: Request) => Generated;
  readonly CancelablePromise: new (run: (resolve: (value: unknown) => void) => void) => Promise<unknown>;
};
const { FetchHttpRequest } = (await import(join(output, 'core', 'FetchHttpRequest.ts'))) as {
  readonly FetchHttpRequest: Request;
};

/** The generator reads whatever is no JSON as text; its own way out is a request class of the user's. */
class WithBytes extends FetchHttpRequest {
  override request(options: RequestOptions): Promise<unknown> {
    if (!/\/(screenshot|download)$/.test(options.url)) return super.request(options);
    const url = options.url.replace(/\{(\w+)\}/g, (_, name: string) => options.path?.[name] ?? '');
    return new code.CancelablePromise((resolve) => {
      const headers = { Authorization: `Bearer ${TEST_KEY}` };
      resolve(fetch(server.url + url, { headers }).then(async (answer) => Buffer.from(await answer.arrayBuffer())));
    });
  }
}

const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no failure',
    (error: unknown) => error,
  );

/** The operations of all chapters by their names. */
function operationsOf(generated: Generated): Operations {
  const get = (_: object, name: string) => {
    const service = Object.values(generated).find((chapter) => typeof chapter?.[name as RouteName] === 'function');
    return (options?: Options) => service?.[name as RouteName]?.(options);
  };
  return new Proxy({}, { get } as ProxyHandler<object>) as Operations;
}

const client = operationsOf(new code.Generated({ TOKEN: TEST_KEY }, WithBytes));

t.test('it creates a session, acts, records, opens a URL, and releases the session', async (t) => {
  const created = await client.createSession({
    requestBody: { platform: 'ios', labels: { made: 'by a generator' } },
    idempotencyKey: 'generated-1',
  });
  t.match(created, { platform: 'ios', status: 'active', labels: { made: 'by a generator' } });
  const { id: sessionId, platform } = created;
  const session = { platform, sessionId };
  const { sessions } = await client.listSessions({ platform: 'ios', status: 'active' });
  t.strictSame(
    sessions.map(({ id }: { id: string }) => id),
    [sessionId],
  );

  const recording = await client.startRecording({ ...session, idempotencyKey: 'generated-2' });
  t.match(recording, { status: 'recording', sessionId });
  const tap = { action: 'tap', x: 0.39, y: 0.92, requestId: 'generated' };
  t.match(await client.interact({ ...session, requestBody: tap }), { status: 'completed', requestId: 'generated' });
  const text = { action: 'typeText', text: 'Generated' };
  t.match(await client.interact({ ...session, requestBody: text }), { result: { characterCount: 9 } });
  t.match((await server.inspect('ios', sessionId)).app, { text: 'Generated' });
  t.strictSame(await client.cancelInteraction({ ...session, requestId: 'generated' }), {
    ok: true,
    requestId: 'generated',
    cancelled: false,
  });
  const { width, height } = await decodePng(await client.screenshot({ ...session }));
  t.strictSame([width, height], [590, 1_280]);
  const url = 'https://example.com/a%20b';
  t.match(await client.openUrl({ ...session, requestBody: { url } }), { ok: true, url });

  const { id: recordingId } = recording;
  let stopped = await client.stopRecording({ ...session, recordingId });
  while (stopped.status === 'finalizing') stopped = await client.getRecording({ ...session, recordingId });
  t.match(stopped, { status: 'ready', contentType: 'video/mp4' });
  const video: Buffer = await client.downloadRecording({ ...session, recordingId });
  t.strictSame([video.length, video.toString('latin1', 4, 8)], [stopped.byteSize, 'ftyp']);
  const { recordings } = await client.listRecordings({ ...session });
  t.match(recordings, [{ id: recordingId, status: 'ready' }]);

  t.match(await client.deleteSession({ sessionId }), { status: 'released' });
  t.match(await client.getSession({ sessionId }), { status: 'released' });
});

t.test('it reads the account, and makes and revokes a key', async (t) => {
  t.match(await client.getAccount(), { name: 'local' });
  const { id: keyId, key } = await client.createKey({ requestBody: { name: 'generated' } });
  t.match(key, /^rck_/);
  const other = operationsOf(new code.Generated({ BASE: server.url, TOKEN: key }));
  t.match(await other.getAccount(), { credential: { id: keyId } });
  t.strictSame(await client.revokeKey({ keyId }), { id: keyId, revoked: true });
  t.match(await failureOf(other.getAccount()), { status: 401 });
});

t.test('a failed call rejects with the status and the envelope', async (t) => {
  const { id: sessionId } = await client.createSession({ requestBody: { platform: 'android' } });
  const session = { platform: 'android', sessionId };
  for (const [call, status, error] of [
    [() => client.interact({ ...session, requestBody: { action: 'tap', x: 2, y: 0 } }), 400, 'invalid_interaction'],
    [
      () => client.interact({ ...session, requestBody: { action: 'rotateDigitalCrown', delta: 1 } }),
      422,
      'unsupported_action',
    ],
    [() => client.openUrl({ ...session, requestBody: { url: 'no url' } }), 400, 'invalid_url'],
    [() => client.getSession({ sessionId: 'ses_unknown' }), 404, 'session_not_found'],
    [() => operationsOf(new code.Generated({ TOKEN: 'wrong' })).listSessions({}), 401, 'authentication_required'],
  ] as const) {
    t.match(await failureOf(call()), { status, body: { ok: false, error: { code: error } } });
  }
  await client.deleteSession({ sessionId });
});
