import type { InteractionRequest } from '@runcloud/protocol';
import sharp from 'sharp';
import t from 'tap';
import type { DeviceOptions, Picture } from '../../../server/device/driver.ts';
import { VirtualDevice } from '../../../server/drivers/virtual/virtual-device.ts';
import { HostLink } from '../../../server/link/host-link.ts';
import type { ScreenProfile, StreamPicture } from '../../../server/link/messages.ts';
import { RemoteDevice } from '../../../server/link/remote-device.ts';
import { awayFromMinuteEdge } from '../../support/minute-edge.ts';
import { performed } from '../../support/performed.ts';
import { hostedPair, openScriptedHost } from '../../support/scripted-host.ts';
import { decodePictures, ffmpeg, psnr, withFfmpeg } from './ffmpeg.ts';
import { H264, JPEG, quiet } from './stream-arena.ts';

const sleep = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));

/** Whole streams: a device behind the link, its real encoders, and what a gateway hears. */

// Timers of devices and streams keep no process alive.
const alive = setInterval(() => undefined, 1_000);
t.teardown(() => clearInterval(alive));

interface Watched {
  readonly pictures: StreamPicture[];
  readonly ended: string[];
  requestKey(): void;
  stop(): void;
  /** Waits for the first picture that the condition holds for. */
  until(condition: (picture: StreamPicture) => boolean): Promise<StreamPicture>;
}

function watch(device: RemoteDevice, profile: ScreenProfile): Watched {
  const pictures: StreamPicture[] = [];
  const ended: string[] = [];
  const stream = device.watch(profile, {
    picture: (picture) => void pictures.push(picture),
    ended: (reason) => void ended.push(reason),
  });
  return {
    pictures,
    ended,
    requestKey: () => stream.requestKey(),
    stop: () => stream.stop(),
    async until(condition) {
      for (let turn = 0; turn < 6_000; turn++) {
        const found = pictures.find(condition);
        if (found) return found;
        await sleep(5);
      }
      throw new Error(`no such picture among ${pictures.length}; ended: ${ended.join()}`);
    },
  };
}

/** A virtual phone behind a link, and a look at its pixels from inside the host. */
async function openPhone(
  t: Pick<typeof import('tap').default, 'teardown'>,
  options: DeviceOptions = { platform: 'ios' },
) {
  const phone = new VirtualDevice(options);
  const link = new HostLink(hostedPair(async () => phone).gateway);
  const device = await RemoteDevice.open(link, 1, options);
  t.teardown(() => phone.close());
  let inputSeq = 0;
  const perform = async (request: Partial<InteractionRequest>) => {
    inputSeq++;
    const whole = { requestId: `r${inputSeq}`, timeoutMs: 15_000, ...request } as InteractionRequest;
    await performed(device, whole, inputSeq).answered;
    return inputSeq;
  };
  /** The picture of a screen at rest. */
  const seen = async (): Promise<Picture> => {
    const picture = await phone.capture();
    return { ...picture, pixels: picture.pixels.slice() };
  };
  return { phone, device, perform, seen };
}

const opaque = async (image: Uint8Array) => new Uint8Array(await sharp(image).ensureAlpha().raw().toBuffer());

/** Waits until no picture comes any more: twice, since after a pause of this thread's pictures come behind its timers. */
async function rested({ pictures }: Watched): Promise<void> {
  let quietTurns = 0;
  while (quietTurns < 2) {
    const { length } = pictures;
    await sleep(600);
    quietTurns = pictures.length === length ? quietTurns + 1 : 0;
  }
}

t.test('a watcher sees a still screen at once, and then nothing until something happens', async (t) => {
  await awayFromMinuteEdge();
  const { device, perform, seen } = await openPhone(t);
  const stream = watch(device, JPEG);
  const first = await stream.until(() => true);
  t.match(first, { key: true, unchanged: false, width: 590, height: 1280, inputSeq: 0, orientation: 'portrait' });
  t.ok(psnr(await opaque(first.payload), (await seen()).pixels) > 30);
  t.ok(Math.abs(first.capturedAtUs / 1_000 - Date.now()) < 10_000);
  await sleep(300);
  t.equal(stream.pictures.length, 1);
  const inputSeq = await perform({ action: 'rotate', orientation: 'landscape_left' });
  t.match(await stream.until((picture) => picture.inputSeq >= inputSeq), { width: 1280, height: 590 });
});

t.test('an H.264 stream goes on through turns, and is read without a warning', withFfmpeg(), async (t) => {
  const { device, perform, seen } = await openPhone(t);
  const stream = watch(device, { ...H264, quality: 95 });
  await stream.until(() => true);
  for (const orientation of ['landscape_left', 'portrait', 'landscape_right'] as const) {
    await perform({ action: 'pressButton', button: 'home', durationMs: 20 });
    stream.requestKey();
    const inputSeq = await perform({ action: 'rotate', orientation });
    await stream.until((picture) => picture.inputSeq >= inputSeq && picture.orientation === orientation);
    // The indicators that an input brings up fade away.
    await rested(stream);
  }
  const payloads = stream.pictures.map(({ payload }) => payload);
  const { status, messages } = await ffmpeg(payloads, 'warning', ['-autoscale', '0', '-f', 'null', '-']);
  t.strictSame([status, messages], [0, '']);
  for (const [index, { width, key, codec }] of stream.pictures.entries()) {
    t.match(codec, /^avc1\.42/);
    if (width !== stream.pictures[index - 1]?.width) t.ok(key, 'another size begins with a key picture');
  }
  const { pixels } = await seen();
  const from = stream.pictures.findLastIndex(({ width }, index) => width !== stream.pictures[index - 1]?.width);
  const decoded = await decodePictures(payloads.slice(from), pixels.length);
  t.equal(decoded.length, payloads.length - from);
  t.ok(psnr(decoded.at(-1) ?? Buffer.alloc(0), pixels) > 30);
});

t.test('an input that changes no pixel reaches all who watch', async (t) => {
  await awayFromMinuteEdge();
  const { device, perform } = await openPhone(t);
  const streams = (['h264', 'jpeg', 'png'] as const).map((encoding) => watch(device, { ...H264, encoding }));
  for (const stream of streams) await stream.until(() => true);
  for (let turn = 0; turn < 3; turn++) {
    const inputSeq = await perform({ action: 'scroll', deltaX: 0, deltaY: 0 });
    for (const stream of streams) {
      const told = await stream.until((picture) => picture.inputSeq >= inputSeq);
      t.match(told, { unchanged: true, key: told.encoding !== 'h264', inputSeq });
      if (told.encoding === 'h264') t.ok(told.payload.length < 64);
      else t.strictSame(told.payload.length, stream.pictures[0]?.payload.length);
    }
  }
});

t.test('a screen that moves by itself is shown until it rests', async (t) => {
  await awayFromMinuteEdge();
  const { device, perform, seen } = await openPhone(t);
  const stream = watch(device, { ...JPEG, maxLongEdge: 320 });
  await stream.until(() => true);
  await perform({ action: 'pressButton', button: 'volumeUp', durationMs: 20 });
  // It is seen to change, stays for a while, and then fades.
  await stream.until(({ inputSeq }) => inputSeq >= 1);
  await sleep(1_000);
  await rested(stream);
  const { length } = stream.pictures;
  t.ok(length > 3, `${length} pictures`);
  await sleep(500);
  t.equal(stream.pictures.length, length);
  t.match(stream.pictures.at(-1), { width: 148, height: 320 });
  t.equal((await seen()).inputSeq, 1);
});

t.test('screenshots while streams run show one moment each, and leave the streams whole', withFfmpeg(), async (t) => {
  await awayFromMinuteEdge();
  const { device, perform } = await openPhone(t);
  const h264 = watch(device, H264);
  const png = watch(device, { ...JPEG, encoding: 'png' });
  await Promise.all([h264.until(() => true), png.until(() => true)]);
  const pixels = new Map<number, Uint8Array>();
  for (let turn = 0; turn < 12; turn++) {
    // Nothing here moves: a picture is known by the newest input that it shows.
    const changing = perform({ action: 'setRenderDebug', option: 'colorBlendedLayers', enabled: turn % 2 === 0 });
    const shots = await Promise.all([
      device.screenshot(),
      device.screenshot(),
      changing.then(() => device.screenshot()),
    ]);
    for (const { png: image, inputSeq } of shots) {
      const shown = await opaque(image);
      const known = pixels.get(inputSeq);
      if (known) t.equal(Buffer.compare(known, shown), 0, `two screenshots after input ${inputSeq}`);
      pixels.set(inputSeq, shown);
    }
  }
  await png.until(({ inputSeq }) => inputSeq >= 12);
  let compared = 0;
  for (const { payload, inputSeq } of png.pictures) {
    const known = pixels.get(inputSeq);
    if (!known) continue;
    compared++;
    t.equal(Buffer.compare(known, await opaque(payload)), 0, `stream and screenshot after input ${inputSeq}`);
  }
  t.ok(compared > 3, `${compared} pictures compared`);
  await h264.until(({ inputSeq }) => inputSeq >= 12);
  const payloads = h264.pictures.map(({ payload }) => payload);
  const { status, messages } = await ffmpeg(payloads, 'warning', ['-autoscale', '0', '-f', 'null', '-']);
  t.strictSame([status, messages], [0, '']);
});

t.test('a stream ends with its device, closed or lost, and says why', async (t) => {
  const closed = await openScriptedHost();
  const first = watch(closed.device, JPEG);
  await first.until(() => true);
  await closed.device.close();
  await quiet();
  t.strictSame(first.ended, ['the device was closed']);

  const lost = await openScriptedHost();
  const second = watch(lost.device, JPEG);
  await second.until(() => true);
  lost.scripted.lose('unplugged');
  await quiet();
  t.strictSame(second.ended, ['unplugged']);
});

t.test('a stream that is stopped says nothing more', async (t) => {
  const { device, scripted } = await openScriptedHost();
  const stream = watch(device, JPEG);
  await stream.until(() => true);
  stream.stop();
  stream.requestKey();
  scripted.show({ ...scripted.picture, version: 9 });
  await sleep(100);
  t.strictSame([stream.pictures.length, stream.ended], [1, []]);
});

t.test('a picture that an encoder cannot take ends the stream, and the device works on', async (t) => {
  const { device, scripted } = await openScriptedHost();
  scripted.picture = { ...scripted.picture, width: 0 };
  const stream = watch(device, H264);
  for (let turn = 0; turn < 6_000 && stream.ended.length === 0; turn++) await sleep(5);
  t.match(stream.ended, [/^the h264 encoder failed: /]);
  t.same(await device.releaseAll(), undefined);
});
