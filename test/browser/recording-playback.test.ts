import type { RecordingRecord } from '@runcloud/protocol';
import t from 'tap';
import { DRIVERS } from '../conformance/drivers.ts';
import { startBrowser, withoutBrowser } from '../support/browser.ts';
import { openPlayer, type Pixels, pixelsOf, seek } from '../support/recording-player.ts';
import { startServer } from '../support/server.ts';

/** A finished recording in a browser's own player: it seeks, plays to its end, and shows what was on the screen then. */

/** Below the tiles of Touch Lab; each tap paints a mark and two lines through it, and is counted in a tile. */
const PLACES = [
  { x: 0.2, y: 0.74 },
  { x: 0.8, y: 0.8 },
  { x: 0.5, y: 0.88 },
] as const;
/** Between two taps; a screenshot in the middle is compared with the recording. */
const STEP_MS = 800;
/** Mean difference of colours that encoding leaves, in steps of 255; one screen differs from the next by 6. */
const NOISE_MAX = 1.5;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Mean difference of two pictures in a band across `y`, where a tap leaves its mark. */
function difference(one: Pixels, other: Pixels, y: number): number {
  const rowBytes = one.width * 3;
  const first = Math.floor((y - 0.02) * one.height) * rowBytes;
  const last = Math.ceil((y + 0.02) * one.height) * rowBytes;
  let sum = 0;
  for (let at = first; at < last; at++) sum += Math.abs((one.data[at] ?? 0) - (other.data[at] ?? 0));
  return sum / (last - first);
}

t.test('a recording plays in a browser and shows what Touch Lab showed', { skip: withoutBrowser }, async (t) => {
  const server = await startServer({ RUNCLOUD_DEVICES: 'virtual-ios:1' });
  t.teardown(() => server.close());
  const { rest } = server;
  const session = await rest.createSession('ios');
  const icon = DRIVERS[0]?.icon(session, 'touch-lab') ?? { x: 0, y: 0 };
  await rest.interact(session, { action: 'tap', ...icon });
  await sleep(1_500);
  const path = `/service/ios/${session.id}/recordings`;
  const { body: begun } = await rest.call<RecordingRecord>('POST', path);
  const startedMs = Date.parse(begun.startedAt ?? '');

  const shown: { readonly seconds: number; readonly pixels: Pixels }[] = [];
  const look = async () => {
    await sleep(STEP_MS / 2);
    const pixels = await pixelsOf(await rest.screenshot(session));
    // The device's thread may have slept since the tap: once it has answered again, the recording has the picture too.
    await rest.screenshot(session);
    shown.push({ seconds: (Date.now() - startedMs) / 1_000, pixels });
    await sleep(STEP_MS / 2);
  };
  await look();
  for (const place of PLACES) {
    t.equal((await rest.interact(session, { action: 'tap', ...place })).status, 200);
    await look();
  }
  const { body: stopped } = await rest.call<RecordingRecord>('POST', `${path}/${begun.id}/stop`);
  t.equal(stopped.status, 'ready', JSON.stringify(stopped.failure));
  const referred = await rest.fetch(stopped.downloadUrl ?? '', { redirect: 'manual' });
  t.equal(referred.status, 302);

  const browser = await startBrowser(t);
  const page = await browser.newPage();
  const player = await openPlayer(page, server.url, referred.headers.get('location') ?? '');
  t.match(player, { width: shown[0]?.pixels.width, height: shown[0]?.pixels.height });
  t.ok(Math.abs(player.durationMs - (stopped.durationMs ?? 0)) <= 50, `${player.durationMs} ms`);

  // Not in their order: each is a seek that goes back, or far ahead.
  for (const index of [3, 0, 2, 1]) {
    const at = shown[index];
    if (!at) throw new Error('there is no such time');
    const seen = await seek(page, at.seconds);
    for (const [tapped, { y }] of PLACES.entries()) {
      const noise = difference(seen, at.pixels, y);
      t.ok(noise < NOISE_MAX, `${index} taps: around tap ${tapped + 1} it differs by ${noise.toFixed(2)}`);
    }
    // The touch before is gone from its place, and the newest is where it was made: no other time looks like this.
    for (const [other, { pixels }] of shown.entries()) {
      if (other === index) continue;
      const apart = Math.max(...PLACES.map(({ y }) => difference(seen, pixels, y)));
      t.ok(apart > 3 * NOISE_MAX, `after ${index} taps it is not what was shown after ${other}: ${apart.toFixed(1)}`);
    }
  }

  const played = await page.evaluate(async () => {
    const video = document.querySelector('video');
    if (!video) throw new Error('there is no player');
    video.currentTime = 0;
    const before = video.getVideoPlaybackQuality().totalVideoFrames;
    const over = new Promise((resolve, reject) => {
      video.onended = resolve;
      video.onerror = () => reject(new Error(video.error?.message));
    });
    await video.play();
    await over;
    const pictures = video.getVideoPlaybackQuality().totalVideoFrames - before;
    return { pictures, atMs: video.currentTime * 1_000, durationMs: video.duration * 1_000 };
  });
  t.ok(played.pictures > PLACES.length, `${played.pictures} pictures were presented`);
  t.ok(Math.abs(played.atMs - played.durationMs) < 50, 'it plays to its end');
});
