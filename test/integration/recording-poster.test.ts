import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordingRecord, SessionRecord } from '@runcloud/protocol';
import sharp from 'sharp';
import t from 'tap';
import { envelopeFault } from '../support/envelope.ts';
import { startServer } from '../support/server.ts';

const server = await startServer({ RUNCLOUD_DEVICES: 'virtual-ios:4,virtual-android:2' });
t.teardown(() => server.close());
const { rest } = server;

const address = ({ platform, id }: SessionRecord, rest = '') => `/service/${platform}/${id}/recordings${rest}`;
const folder = join(server.dataDir, 'recordings');

/** Records what the device shows now. */
async function record(session: SessionRecord): Promise<RecordingRecord> {
  const { body } = await rest.call<RecordingRecord>('POST', address(session));
  return (await rest.call<RecordingRecord>('POST', address(session, `/${body.id}/stop`))).body;
}

const poster = (session: SessionRecord, id: string, headers: Record<string, string> = {}) =>
  rest.fetch(address(session, `/${id}/poster`), { headers });

const screenshot = async ({ platform, id }: SessionRecord) =>
  Buffer.from(await (await rest.fetch(`/service/${platform}/${id}/screenshot?settled=true`)).arrayBuffer());

/** Mean difference of two pictures at the size of the first, in steps of 255. */
async function difference(one: Buffer, other: Buffer): Promise<number> {
  const { data, info } = await sharp(one).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const resized = sharp(other).removeAlpha().resize(info.width, info.height, { fit: 'fill' });
  const compared = await resized.raw().toBuffer();
  return data.reduce((sum, value, at) => sum + Math.abs(value - (compared[at] ?? 0)), 0) / data.length;
}

t.test('the poster is a small picture of what was recorded, upright or lying', async (t) => {
  const session = await rest.createSession('ios');
  const home = await screenshot(session);
  t.equal((await rest.interact(session, { action: 'tap', x: 0.39, y: 0.92 })).status, 200);
  for (const orientation of ['portrait', 'landscape_left'] as const) {
    t.equal((await rest.interact(session, { action: 'rotate', orientation })).status, 200);
    const shown = await screenshot(session);
    const { id, status } = await record(session);
    t.equal(status, 'ready');
    t.notOk(readdirSync(folder).includes(`${id}.jpg`), 'it is made when it is asked for');
    const answer = await poster(session, id);
    t.equal(answer.status, 200);
    t.equal(answer.headers.get('content-type'), 'image/jpeg');
    t.equal(answer.headers.get('cache-control'), 'private, no-cache');
    const jpeg = Buffer.from(await answer.arrayBuffer());
    t.ok(jpeg.length < 200_000, `${jpeg.length} bytes`);
    const { width = 0, height = 0, format } = await sharp(jpeg).metadata();
    t.strictSame([format, Math.max(width, height)], ['jpeg', 640]);
    t.equal(width > height, orientation === 'landscape_left');
    const [same, other] = [await difference(jpeg, shown), await difference(jpeg, home)];
    t.ok(same < 4, `it differs from the display by ${same}`);
    t.ok(other > 4 * same, `and from another picture by ${other}`);
    const etag = answer.headers.get('etag') ?? '';
    for (const tag of [etag, `"x", ${etag}`, `W/${etag}`]) {
      const again = await poster(session, id, { 'If-None-Match': tag });
      t.strictSame([again.status, await again.text(), again.headers.get('etag')], [304, '', etag]);
    }
    t.equal((await poster(session, id, { 'If-None-Match': '"other"' })).status, 200);
    rmSync(join(folder, `${id}.mp4`));
    t.equal((await poster(session, id)).status, 200, 'it is kept, and not made again');
  }
  await rest.releaseSession(session.id);
});

t.test('before its end and for strangers there is none, after the end of its session there is', async (t) => {
  const session = await rest.createSession('android');
  const { body } = await rest.call<RecordingRecord>('POST', address(session));
  const early = await poster(session, body.id);
  t.equal(envelopeFault('recording_not_ready', early.status, await early.text()), undefined);
  await rest.releaseSession(session.id);
  t.equal((await poster(session, body.id)).status, 200);
  const none = await poster(session, 'rec_0000000000000000000000');
  t.equal(envelopeFault('recording_not_found', none.status, await none.text()), undefined);
  const stranger = server.addAccount('stranger');
  const theirs = await stranger.rest.fetch(address(session, `/${body.id}/poster`));
  t.equal(envelopeFault('session_not_found', theirs.status, await theirs.text()), undefined);
  t.equal((await fetch(server.url + address(session, `/${body.id}/poster`))).status, 401);
});

t.test('a damaged file is an error that says so', async (t) => {
  const session = await rest.createSession('ios');
  const { id, byteSize = 0 } = await record(session);
  writeFileSync(join(folder, `${id}.mp4`), Buffer.alloc(byteSize, 0x5a));
  const answer = await poster(session, id);
  t.equal(envelopeFault('recording_object_invalid', answer.status, await answer.text()), undefined);
  t.notOk(
    readdirSync(folder).some((name) => name.startsWith(`${id}.jpg`)),
    'nothing is left of the try',
  );
});
