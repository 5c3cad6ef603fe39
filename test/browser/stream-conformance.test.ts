import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { ffmpeg, withFfmpeg } from '../host/stream/ffmpeg.ts';
import { startBrowser, withoutBrowser } from '../support/browser.ts';
import { ScreenStage } from '../support/screen-stage.ts';
import type { Packet, ScreenWatcher } from '../support/screen-watcher.ts';

/** Length of the stream at least, and when the device turns and somebody joins for a while. */
const STREAM_MS = 30_000;
/** A machine that lacks time takes longer for as much. */
const STREAM_MS_MAX = 75_000;
const TURNS_MIN = 8;
const VIEWERS_MIN = 5;
const PACKETS_MIN = 301;
const TURN_EVERY_MS = 3_100;
const JOIN_EVERY_MS = 4_700;
const JOINED_FOR_MS = 2_500;
/** Each the other way than the one before: the size changes every time. */
const TURNS = ['landscape_left', 'portrait', 'landscape_right', 'portrait_upside_down'] as const;

/** One viewer's stream, as it came. */
interface Recording {
  readonly name: string;
  readonly packets: readonly Packet[];
  readonly codecs: ReadonlySet<unknown>;
}

async function record(t: Test, stage: ScreenStage): Promise<Recording[]> {
  const viewers: { readonly name: string; readonly watcher: ScreenWatcher }[] = [];
  const join = async (name: string) => {
    const watcher = await stage.watch(t);
    viewers.push({ name, watcher });
    watcher.send({ type: 'screen.start', encodings: ['h264'] });
    await watcher.until('a picture came', () => watcher.packets.length > 0);
    return watcher;
  };
  const first = await join('the first viewer');
  const startMs = performance.now();
  const isOver = () => {
    const sinceMs = performance.now() - startMs;
    const isEnough =
      parts(first.packets).length > TURNS_MIN && viewers.length >= VIEWERS_MIN && first.packets.length >= PACKETS_MIN;
    return sinceMs >= (isEnough ? STREAM_MS : STREAM_MS_MAX);
  };
  const every = async (ms: number, act: (count: number) => Promise<void>) => {
    for (let count = 0; !isOver(); count++) {
      await sleep(ms);
      await act(count);
    }
  };
  await stage.startMotion();
  await Promise.all([
    every(TURN_EVERY_MS, (count) => stage.act({ action: 'rotate', orientation: TURNS[count % TURNS.length] })),
    every(JOIN_EVERY_MS, async (count) => {
      const watcher = await join(`viewer ${count + 2}`);
      await sleep(JOINED_FOR_MS);
      watcher.close();
    }),
  ]);
  await stage.stopMotion();
  return viewers.map(({ name, watcher: { messages, packets } }) => {
    const started = messages.filter(({ type }) => type === 'screen.started');
    // A copy of the packets so far: the clock on the screen causes more.
    return { name, packets: [...packets], codecs: new Set(started.map(({ codec }) => codec)) };
  });
}

/** Parts of a stream in which the picture has one size. */
function parts(packets: readonly Packet[]): Packet[][] {
  const found: Packet[][] = [];
  for (const packet of packets) {
    const before = found.at(-1)?.at(-1)?.header;
    const same = before?.width === packet.header.width && before.height === packet.header.height;
    if (same) found.at(-1)?.push(packet);
    else found.push([packet]);
  }
  return found;
}

/** For the page: each packet as its length, its kind and its bytes. */
function written(packets: readonly Packet[]): Buffer {
  return Buffer.concat(
    packets.flatMap(({ header, payload }) => {
      const head = Buffer.alloc(8);
      head.writeUInt32LE(payload.length);
      head.writeUInt32LE(header.key ? 1 : 0, 4);
      return [head, payload];
    }),
  );
}

/** Decodes the packets with the browser's own decoder: the size of each picture, in order, and its errors. */
async function decodeInPage(page: Page, { packets, codecs }: Recording) {
  const [codec] = codecs;
  await page.unroute('**/packets');
  await page.route('**/packets', (route) => route.fulfill({ body: written(packets) }));
  return page.evaluate(async (codec) => {
    const sizes: string[] = [];
    const errors: string[] = [];
    const decoder = new VideoDecoder({
      output: (frame) => {
        sizes.push(`${frame.displayWidth}×${frame.displayHeight}`);
        frame.close();
      },
      error: (error) => void errors.push(String(error)),
    });
    decoder.configure({ codec, optimizeForLatency: true, hardwareAcceleration: 'prefer-software' });
    const bytes = await (await fetch('/packets')).arrayBuffer();
    const view = new DataView(bytes);
    for (let at = 0, timestamp = 0; at < bytes.byteLength && errors.length === 0; timestamp++) {
      const length = view.getUint32(at, true);
      const type = view.getUint32(at + 4, true) === 1 ? 'key' : 'delta';
      decoder.decode(new EncodedVideoChunk({ type, timestamp, data: new Uint8Array(bytes, at + 8, length) }));
      at += 8 + length;
    }
    await decoder.flush().catch((error: unknown) => void errors.push(String(error)));
    return { sizes, errors };
  }, String(codec));
}

const skip = withoutBrowser || withFfmpeg().skip || false;

t.test('half a minute of H.264 with rotations and newcomers decode without a warning', { skip }, async (t) => {
  const stage = await ScreenStage.open(t, 'android');
  const recordings = await record(t, stage);
  const [first] = recordings;
  const turns = parts(first?.packets ?? []).length - 1;
  t.ok(turns >= TURNS_MIN, `the device turned ${turns} times`);
  t.ok(recordings.length >= VIEWERS_MIN, `${recordings.length} viewers`);
  t.ok((first?.packets.length ?? 0) >= PACKETS_MIN, `${first?.packets.length} packets for the first`);
  const page = await (await startBrowser(t)).newPage();
  // The loader of these tests names functions by a helper that pages do not have.
  await page.addInitScript('globalThis.__name = (value) => value');
  // A page of this machine is a secure context, which the decoder needs.
  await page.goto(`${stage.url}/healthz`);
  for (const recording of recordings) {
    const { codecs, name, packets } = recording;
    t.equal(packets[0]?.header.key, true, `${name} begins with a key packet`);
    t.ok(packets.every(({ header }, at) => header.seq === at + 1));
    t.ok(packets.every(({ header }, at) => header.key || (at > 0 && header.leftOut === 0)));
    // A host that lacks time may give smaller pictures for a while, of another level; decoders read that in the stream.
    for (const codec of codecs) t.match(codec, /^avc1\.42[c-f]0[0-9a-f]{2}$/);
    for (const part of parts(packets)) {
      t.equal(part[0]?.header.key, true, 'another size begins with a key packet');
      const payloads = part.map(({ payload }) => payload);
      const args = ['-fps_mode', 'passthrough', '-f', 'framecrc', 'pipe:1'];
      const { messages, output, status } = await ffmpeg(payloads, 'warning', args);
      const pictures = output
        .toString()
        .split('\n')
        .filter((line) => /^\d/.test(line)).length;
      t.strictSame([status, messages, pictures], [0, '', part.length], `${name}: ffmpeg reads every packet`);
    }
    const { errors, sizes } = await decodeInPage(page, recording);
    t.strictSame(errors, []);
    t.strictSame(
      sizes,
      packets.map(({ header: { width, height } }) => `${width}×${height}`),
      `${name}: in Chromium`,
    );
  }
});
