import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { lightFetch } from '../../../client/cli/light-fetch.ts';
import { NOBODY_URL } from '../../support/nobody.ts';

async function serve(t: Test, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const manual = { redirect: 'manual' } as const;

/** Answers with what it was sent. */
const echo: RequestListener = (request, response) => {
  request.setEncoding('utf8');
  let body = '';
  request.on('data', (text: string) => {
    body += text;
  });
  request.on('end', () => {
    const { method, url, headers } = request;
    const told = JSON.stringify({ method, url, headers, body });
    response.writeHead(302, { 'Content-Type': 'application/json', Location: '/elsewhere' }).end(told);
  });
};

t.test('requests arrive as those of fetch do, and redirects are not followed', async (t) => {
  const url = await serve(t, echo);
  const cases: readonly RequestInit[] = [
    { headers: { Authorization: 'Bearer a-key' } },
    { method: 'DELETE', signal: new AbortController().signal },
    { method: 'POST' },
    { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"text":"Grüße"}' },
    { method: 'POST', headers: { Accept: 'application/json' }, body: new URLSearchParams({ a: '1 &', b: 'ü' }) },
    { method: 'POST', body: new Blob(['a blob']) },
  ];
  for (const init of cases) {
    const [light, own] = await Promise.all(
      [lightFetch, fetch].map(async (ask) => {
        const response = await ask(`${url}/a?b=c`, { ...init, ...manual });
        t.match([response.status, response.ok, response.type], [302, false, 'basic']);
        t.match([response.headers.get('location'), response.headers.get('X-None')], ['/elsewhere', null]);
        let text = '';
        for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) text += Buffer.from(chunk);
        const { headers, ...rest } = JSON.parse(text);
        const kept = ['authorization', 'content-type', 'content-length'];
        return { ...rest, headers: Object.fromEntries(kept.map((name) => [name, headers[name]])) };
      }),
    );
    t.same(light, own);
  }
});

t.test('a service that is not there, and an answer that breaks off, are failures', async (t) => {
  await t.rejects(lightFetch(NOBODY_URL, manual), new TypeError('fetch failed'));
  const url = await serve(t, (_request, response) => {
    response.writeHead(200, { 'Content-Length': 10 }).write('half', () => response.destroy());
  });
  const { body } = await lightFetch(url, manual);
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  t.equal(Buffer.from((await reader.read()).value ?? []).toString(), 'half');
  await t.rejects(() => reader.read());
});

t.test('an abort ends the request, and the answer that is being read', async (t) => {
  const closed: string[] = [];
  const url = await serve(t, (request, response) => {
    request.on('close', () => closed.push(request.url ?? ''));
    if (request.url === '/answer') response.writeHead(200).write('begun');
  });
  const controller = new AbortController();
  const asked = lightFetch(`${url}/silent`, { ...manual, signal: controller.signal });
  const { body } = await lightFetch(`${url}/answer`, { ...manual, signal: controller.signal });
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  controller.abort();
  await t.rejects(asked);
  await t.rejects(() => reader.read());
  while (closed.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
});
