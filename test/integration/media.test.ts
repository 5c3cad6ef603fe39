import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import t from 'tap';
import { RunCloud } from '../../client/sdk/index.ts';
import { solidPng } from '../support/ios-package.ts';
import { startServer, TEST_KEY } from '../support/server.ts';

const server = await startServer();
t.teardown(() => server.close());
const { rest } = server;

const add = async (id: string, body: Uint8Array | string, headers: Record<string, string> = {}, query = '') => {
  const answer = await rest.fetch(`/service/ios/${id}/media${query}`, {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : new Uint8Array(body),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

t.test('what is no picture that can be shown is refused in words, and nothing stays on the disk', async (t) => {
  const { id } = await rest.createSession('ios');
  const cases: readonly [string, Uint8Array, number, object][] = [
    ['text', Buffer.from('not a picture'), 400, { code: 'invalid_request' }],
    ['nothing', new Uint8Array(), 400, { code: 'invalid_request', message: /empty/ }],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 400, { code: 'invalid_request' }],
    ['a torn PNG', solidPng(64, '#00c000').subarray(0, 50), 500, { code: 'interaction_failed', message: /decoded/ }],
    ['a video', Buffer.from('\0\0\0\x18ftypisom\0\0\0\0'), 422, { code: 'unsupported_action', message: /Videos/ }],
    ['a bomb', await bomb(), 500, { code: 'interaction_failed', message: /more than 67108864 pixels/ }],
  ];
  for (const [what, body, status, error] of cases)
    t.match(await add(id, body), { status, body: { ok: false, error } }, what);
  t.match((await server.inspect('ios', id)).foreground, 'home');
  t.same(readdirSync(join(server.dataDir, 'transfers')), []);
  t.match(await add(id, 'x', { 'Content-Type': 'text/plain' }), { status: 415 });
  t.match(await add(id, solidPng(8, '#00c000'), {}, '?force=maybe'), {
    status: 400,
    body: { error: { code: 'invalid_request' } },
  });
  t.match(await add('ses_none', solidPng(8, '#00c000')), { status: 404 });
});

t.test(
  'it takes its turn behind earlier input, stands in the history, and is its sender\u2019s while somebody has control',
  async (t) => {
    const { id } = await rest.createSession('ios');
    const cloud = new RunCloud({ apiKey: TEST_KEY, baseUrl: server.url });
    const session = cloud.session({ id, platform: 'ios' });
    const slow = session.pressKey('a', { durationMs: 800 });
    await sleep(100);
    const png = solidPng(64, '#00c000');
    const added = await session.media.add(png as Uint8Array<ArrayBuffer>);
    const pressed = await slow;
    t.match(added, { mediaType: 'image/png', byteSize: png.length, readBack: true });
    const { entries } = (await rest.call<{ entries: Record<string, unknown>[] }>('GET', `/service/ios/${id}/history`))
      .body;
    t.match(entries, [
      { action: 'pressKey', status: 'completed' },
      { action: 'media.add', fields: { name: added.name, byteSize: png.length }, status: 'completed' },
    ]);
    t.ok(Date.parse(pressed.completedAt ?? '') > 0);
    const { capabilities } = (await session.connect()).ready;
    t.equal(capabilities.media, true);
    session.disconnect();
    const full = await Promise.all(Array.from({ length: 20 }, () => add(id, png)));
    t.ok(full.every(({ status }) => status === 201 || status === 429));
    t.same(readdirSync(join(server.dataDir, 'transfers')), []);
  },
);

/** A small file of many pixels. */
function bomb(): Promise<Buffer> {
  return sharp({ create: { width: 12_000, height: 6_000, channels: 3, background: '#000000' } })
    .png({ compressionLevel: 9 })
    .toBuffer();
}
