import { setTimeout as sleep } from 'node:timers/promises';
import jpeg from '@julusian/jpeg-turbo';
import type { Platform } from '@runcloud/protocol';
import sharp from 'sharp';
import type { Test } from 'tap';
import { ScreenStage } from './screen-stage.ts';
import type { ScreenWatcher } from './screen-watcher.ts';
import { Canvas } from './tile-canvas.ts';

/** A screen that has sent nothing for so long has come to rest. */
const STILL_MS = 120;
/** One that has not come to rest by then shows something that moves by itself. */
const RESTLESS_MS = 2_000;
const PATIENCE_MS = 15_000;

/** Numbers from 0 to 1 that look random and are the same each time (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** An input that may change anything from a caret to the whole screen. */
export function anyInput(random: () => number): Record<string, unknown> {
  const place = () => ({ x: 0.02 + random() * 0.96, y: 0.02 + random() * 0.96 });
  const kind = random();
  if (kind < 0.5) return { action: 'tap', ...place() };
  if (kind < 0.62) return { action: 'swipe', from: place(), to: place(), durationMs: 50 + Math.round(random() * 100) };
  if (kind < 0.74) return { action: 'scroll', deltaX: 0, deltaY: random() * 0.8 - 0.4 };
  if (kind < 0.84) return { action: 'pressButton', button: 'home' };
  if (kind < 0.92) return { action: 'tap', x: 0.16, y: 0.92 };
  const turns = ['portrait', 'landscape_left', 'landscape_right'];
  return { action: 'rotate', orientation: turns[Math.floor(random() * turns.length)] };
}

/** A viewer of `tiles` that keeps the picture which they make. */
export class TiledViewer {
  readonly canvas = new Canvas();
  readonly watcher: ScreenWatcher;
  /** Packets that were drawn on the picture before, and that were whole. */
  readonly counts = { deltas: 0, keys: 0, dropped: 0, bytes: 0 };
  #next = 0;
  #needsKey = true;
  #loses = false;

  constructor(watcher: ScreenWatcher) {
    this.watcher = watcher;
    watcher.send({ type: 'screen.start', encodings: ['tiles'] });
  }

  /** The next packet that is no key packet is lost on the way to the decoder. */
  loseOne(): void {
    this.#loses = true;
  }

  /** Draws what has come. */
  async drawAll(): Promise<void> {
    for (; this.#next < this.watcher.packets.length; this.#next++) {
      const packet = this.watcher.packets[this.#next];
      if (!packet) continue;
      const { header, payload } = packet;
      this.counts.bytes += payload.byteLength;
      if (header.key) this.#needsKey = false;
      else if (this.#needsKey || this.#loses) {
        this.counts.dropped++;
        if (!this.#needsKey) this.watcher.send({ type: 'screen.keyframe', streamId: header.streamId });
        this.#needsKey = true;
        this.#loses = false;
        continue;
      }
      await this.canvas.draw(header, payload);
      this.counts[header.key ? 'keys' : 'deltas']++;
    }
  }
}

/** Waits until neither has been sent anything for a while; on a screen that does not come to rest, goes back to the home screen. */
export async function stillness(stage: ScreenStage, ...watchers: readonly ScreenWatcher[]): Promise<void> {
  const count = () => watchers.reduce((sum, { packets }) => sum + packets.length, 0);
  for (let leaveMs = performance.now() + RESTLESS_MS, before = -1; before !== count(); ) {
    before = count();
    await sleep(STILL_MS);
    if (performance.now() < leaveMs) continue;
    await stage.act({ action: 'pressButton', button: 'home' });
    leaveMs = Number.POSITIVE_INFINITY;
  }
}

/** The quality of a stream that asks for none. */
const QUALITY = 80;

/** What a viewer of PNG sees as a single JPEG, which libjpeg-turbo makes of the whole at once, of the kind that tiles are. */
export async function wholeJpeg(watcher: ScreenWatcher): Promise<Buffer> {
  const newest = watcher.packets.at(-1);
  if (!newest) throw new Error('no picture came');
  const { data, info } = await sharp(newest.payload).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const options = { width, height, format: jpeg.FORMAT_RGBA, quality: QUALITY, subsampling: jpeg.SAMP_444 };
  return jpeg.compressSync(data, options);
}

async function isSame(tiled: TiledViewer, whole: ScreenWatcher): Promise<boolean> {
  await tiled.drawAll();
  const image = sharp(await wholeJpeg(whole), { failOn: 'warning' });
  const { data: pixels, info } = await image.raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const { canvas } = tiled;
  return canvas.width === width && canvas.height === height && Buffer.compare(canvas.pixels, pixels) === 0;
}

/**
 * Inputs at random; whenever the screen has come to rest, each viewer of tiles must have the very picture that a JPEG of the whole shows.
 * Viewers join, do not read for a while, and lose packets. Packets of the past are let go, so that it may go on for long.
 */
export async function walkWithTiles(t: Test, platform: Platform, steps: number, seed: number): Promise<void> {
  const stage = await ScreenStage.open(t, platform);
  const whole = await stage.watch(t);
  whole.send({ type: 'screen.start', encodings: ['png'] });
  const first = new TiledViewer(await stage.watch(t));
  const viewers = [first];
  await whole.until('a picture came', () => whole.packets.length > 0);
  const random = randomNumbers(seed);
  const differing: string[] = [];
  const past = { deltas: 0, keys: 0, dropped: 0 };
  for (let step = 0; step < steps; step++) {
    const chance = random();
    if (chance < 0.05) viewers.push(new TiledViewer(await stage.watch(t)));
    else if (chance < 0.1 && viewers.length > 1) viewers.at(-1)?.watcher.pause();
    else if (chance < 0.2) viewers.at(-1)?.watcher.resume();
    if (viewers.length > 4) {
      const [gone] = viewers.splice(1, 1);
      gone?.watcher.close();
      for (const kind of ['deltas', 'keys', 'dropped'] as const) past[kind] += gone?.counts[kind] ?? 0;
    }
    if (step % 10 === 5) first.loseOne();
    const input = anyInput(random);
    await stage.act(input);
    if (step % 4 !== 3) continue;
    for (const { watcher } of viewers) watcher.resume();
    await stillness(stage, whole, ...viewers.map(({ watcher }) => watcher));
    for (const [index, viewer] of viewers.entries()) {
      const endMs = performance.now() + PATIENCE_MS;
      let same = await isSame(viewer, whole);
      // A key picture that was asked for may still be on its way; the clock on the screen moves on.
      while (!same && performance.now() < endMs) {
        await sleep(STILL_MS);
        same = await isSame(viewer, whole);
      }
      if (!same) differing.push(`step ${step}, viewer ${index}, after ${JSON.stringify(input)}`);
    }
    if (differing.length > 5) break;
  }
  t.same(differing, [], `${platform}, seed ${seed}: every picture of tiles is the whole picture`);
  for (const viewer of viewers)
    for (const kind of ['deltas', 'keys', 'dropped'] as const) past[kind] += viewer.counts[kind];
  t.comment(`${platform}: ${JSON.stringify(past)}`);
  t.ok(past.deltas > 0, 'packets were drawn on the picture before');
  t.ok(past.dropped > 0 && past.keys > past.dropped, 'and whole ones came, also for those that were lost');
}
