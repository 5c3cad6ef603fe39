import { setTimeout as sleep } from 'node:timers/promises';
import type { Platform } from '@runcloud/protocol';
import type { Test } from 'tap';
import { ScreenStage } from './screen-stage.ts';
import type { ScreenWatcher } from './screen-watcher.ts';
import { stillness } from './tile-walk.ts';

/** Five letters a second: a quick typist, whose screen has come to rest before the next. */
const KEY_MS = 200;
const TEXT = 'the quick brown fox jumps over the lazy dog and then comes back ';
/** Where the virtual phones' notes have the page that is written on. */
const PAGE = { x: 0.5, y: 0.4 };

function bytesSince(watcher: ScreenWatcher, first: number): number {
  return watcher.packets.slice(first).reduce((sum, { payload }) => sum + payload.byteLength, 0);
}

/** Types for a while; what a viewer of tiles was sent must be at most a tenth of what one of JPEG was. */
export async function compareTypingTraffic(t: Test, platform: Platform, seconds: number): Promise<void> {
  const stage = await ScreenStage.open(t, platform);
  const watch = async (encoding: 'tiles' | 'jpeg') => {
    const watcher = await stage.watch(t);
    watcher.send({ type: 'screen.start', encodings: [encoding] });
    await watcher.until('a picture came', () => watcher.packets.length > 0);
    return watcher;
  };
  const [tiles, jpeg] = [await watch('tiles'), await watch('jpeg')];
  await stage.act({ action: 'launchApp', app: 'notes' });
  await stage.act({ action: 'tap', ...PAGE });
  await stage.act({ action: 'typeText', text: 'a' });
  await stillness(stage, tiles, jpeg);
  const first = { tiles: tiles.packets.length, jpeg: jpeg.packets.length };
  const keys = Math.round((seconds * 1_000) / KEY_MS);
  for (let key = 0; key < keys; key++) {
    await stage.act({ action: 'typeText', text: TEXT[key % TEXT.length] });
    await sleep(KEY_MS);
  }
  await stillness(stage, tiles, jpeg);
  const pictures = { tiles: tiles.packets.length - first.tiles, jpeg: jpeg.packets.length - first.jpeg };
  for (const [encoding, count] of Object.entries(pictures))
    t.ok(count >= keys / 2, `${encoding}: ${count} pictures of ${keys} keys`);
  const bytes = { tiles: bytesSince(tiles, first.tiles), jpeg: bytesSince(jpeg, first.jpeg) };
  t.comment(`${platform}, ${seconds} s: ${JSON.stringify({ keys, pictures, bytes })}`);
  t.ok(bytes.tiles > 0 && bytes.tiles <= bytes.jpeg / 10, `${bytes.tiles} bytes of tiles, ${bytes.jpeg} of JPEG`);
}
