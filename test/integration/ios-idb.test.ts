import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordingRecord } from '@runcloud/protocol';
import sharp from 'sharp';
import t from 'tap';
import { decodePictures, psnr, withFfmpeg } from '../host/stream/ffmpeg.ts';
import { slicesOf, untilSeen } from '../support/device-slices.ts';
import type { CompanionStandIn } from '../support/ios/companion-stand-in.ts';
import { standInService } from '../support/ios/stand-in-service.ts';
import { whyUnplayable } from '../support/recording-of-a-lost-device.ts';
import { ScreenWatcher } from '../support/screen-watcher.ts';

const { mac, server, session, ended, guestOf } = await standInService(t, { helpers: ['idb_companion'] });
const { rest } = server;
const [WIDTH, HEIGHT] = [590, 1_280];
const TAP = { action: 'tap', x: 0.5, y: 0.5 };

const companion = () => mac.helpers.at(-1) as CompanionStandIn;
const first = await session();
const recordings = `/service/ios/${first.id}/recordings`;

t.test('pictures of the simulator end in a viewer as idb_companion has encoded them', async (t) => {
  const watcher = await ScreenWatcher.connect(server.url, first, rest);
  watcher.send({ type: 'screen.start', encodings: ['h264'] });
  await watcher.until('the stream began', () => watcher.packets.length > 0);
  t.match(watcher.packets[0]?.header, { width: WIDTH, height: HEIGHT, orientation: 'portrait' });
  for (const x of [0.2, 0.8, 0.2, 0.8, 0.2]) {
    const swipe = { action: 'swipe', from: { x, y: 0.4 }, to: { x: 1 - x, y: 0.6 }, durationMs: 200 };
    t.equal((await rest.interact(first, swipe)).body.status, 'completed');
  }
  await untilSeen(watcher, companion().scheduler);
  watcher.close();
  const payloads = watcher.packets.map(({ payload }) => payload);
  t.ok(payloads.length > 5, `${payloads.length} pictures came`);
  t.same(
    payloads.flatMap(slicesOf).filter((slice) => !companion().scheduler.has(slice)),
    [],
    'each slice that a viewer got is one of the companion',
  );
  const png = await rest.screenshot(first);
  await t.test('FFmpeg decodes them, and the last one is what the screen shows', withFfmpeg(), async (t) => {
    const pictures = await decodePictures(payloads, WIDTH * HEIGHT * 4);
    t.equal(pictures.length, payloads.length);
    const shown = await sharp(png).ensureAlpha().raw().toBuffer();
    const likeness = psnr(pictures.at(-1) ?? Buffer.alloc(0), shown);
    t.ok(likeness > 25, `${likeness.toFixed(1)} dB`);
  });
});

t.test('input that a companion refuses or does not take fails in its code, and the session goes on', async (t) => {
  companion().refuses = 'not on this simulator';
  const refused = await rest.interact(first, TAP);
  t.match(
    [refused.status, refused.body.error],
    [500, { code: 'interaction_failed', message: /not on this simulator/ }],
  );
  companion().refuses = undefined;
  companion().hangs = true;
  const late = await rest.interact(first, { ...TAP, timeoutMs: 300 });
  t.match([late.status, late.body.error?.code], [504, 'interaction_timeout']);
  t.ok(late.body.durationMs < 5_000, `who waits for 300 ms was told after ${late.body.durationMs} ms`);
  const lost = await rest.interact(first, TAP);
  t.match([lost.status, lost.body.error], [502, { code: 'interaction_transport_error', retryable: true }]);
  t.ok(lost.body.durationMs < 12_000, `told after ${lost.body.durationMs} ms`);
  companion().hangs = false;
  const { length } = guestOf(first).arrivals;
  t.equal((await rest.interact(first, TAP)).body.status, 'completed', 'one that comes back is used again');
  t.match(
    guestOf(first)
      .arrivals.slice(length)
      .slice(-2)
      .map(({ detail }) => (detail as { type: string }).type),
    ['begin', 'end'],
  );
  t.same(guestOf(first).inspect().pointers, []);
});

t.test(
  'a companion that is killed while it is recorded ends its session, and the recording can be played',
  async (t) => {
    const { body: recording } = await rest.call<RecordingRecord>('POST', recordings);
    const watcher = await ScreenWatcher.connect(server.url, first, rest);
    watcher.send({ type: 'screen.start', encodings: ['h264'] });
    for (const x of [0.2, 0.8]) {
      const swipe = { action: 'swipe', from: { x, y: 0.4 }, to: { x: 1 - x, y: 0.6 }, durationMs: 300 };
      await rest.interact(first, swipe);
    }
    // A recorder would get the same packets: the stream has more than one sink.
    await untilSeen(watcher, companion().scheduler);
    watcher.close();
    const held = { action: 'pressKey', key: 'a', durationMs: 20_000, timeoutMs: 30_000 };
    const holding = rest.interact(first, held);
    while (guestOf(first).inspect().heldKeys.length === 0) await sleep(10);
    companion().kill();
    t.match((await holding).body.error?.code, /^(interaction_transport_error|active_session_not_found)$/);
    t.match(await ended(first), { status: 'failed', releaseReason: 'device_lost' });
    t.equal(await whyUnplayable(rest, first, recording.id, t.testdir()), '');
  },
);

t.test('a video that becomes garbage ends the session, and the slot heals', async (t) => {
  const second = await session();
  t.equal((await rest.interact(second, TAP)).body.status, 'completed');
  companion().garble = (bytes) => Buffer.alloc(bytes.length, 0xff);
  await rest.interact(second, { action: 'pressButton', button: 'power' });
  t.match(await ended(second), { status: 'failed', releaseReason: 'device_lost' });
  t.equal((await rest.interact(await session(), TAP)).body.status, 'completed');
});
