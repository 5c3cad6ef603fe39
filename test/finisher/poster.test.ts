import { appendFileSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import sharp from 'sharp';
import t from 'tap';
import type { Sample } from '../../server/capture/track.ts';
import { finish } from '../../server/finisher/finish.ts';
import { makePoster, POSTER_LONG_EDGE } from '../../server/finisher/poster.ts';
import { toAvcPicture } from '../../server/h264/avc.ts';
import { H264Encoder } from '../../server/host/stream/h264-encoder.ts';
import { type Clip, type Colour, captureFolder, painted, writeCapture } from '../host/recording/captures.ts';
import { H264 } from '../host/stream/stream-arena.ts';

const SECOND_US = 1_000_000;
const RED: Colour = [220, 30, 40];
const GREEN: Colour = [20, 200, 60];
const BLUE: Colour = [30, 60, 230];

/** A key picture of each colour, a second apart. */
async function clipOf(colours: readonly Colour[], width: number, height: number): Promise<Clip> {
  const encoder = new H264Encoder(H264);
  const samples: Sample[] = [];
  let track: Clip['track'] | undefined;
  for (const [index, colour] of colours.entries()) {
    const { payload, key } = await encoder.encode(painted(index, colour, width, height), true, index * SECOND_US + 1);
    const { parameterSets, sample } = toAvcPicture(payload);
    if (parameterSets) track ??= { width, height, parameterSets: [parameterSets] };
    samples.push({ atUs: index * SECOND_US, key, data: sample });
  }
  encoder.close();
  if (!track) throw new Error('no track');
  return { track, samples };
}

async function recorded(
  t: Pick<typeof import('tap').default, 'teardown'>,
  colours: Colour[],
  width = 96,
  height = 160,
) {
  const capture = captureFolder(t);
  await writeCapture(capture, await clipOf(colours, width, height), {
    perFragment: 1,
    endUs: colours.length * SECOND_US,
  });
  const { byteSize } = await finish(capture);
  return { file: capture.targetFile, byteSize };
}

/** The size of a JPEG, and its mean colour. */
async function seen(file: Uint8Array) {
  const { width, height, format } = await sharp(file).metadata();
  const { channels } = await sharp(file).stats();
  return { width, height, format, mean: channels.map(({ mean }) => Math.round(mean)) };
}

t.test('a poster is a picture near the middle, in its colours', async (t) => {
  const order = await recorded(t, [RED, RED, GREEN, BLUE, BLUE]);
  const { mean, ...size } = await seen(await makePoster(order));
  t.strictSame(size, { width: 96, height: 160, format: 'jpeg' }, 'a small picture is not enlarged');
  for (const [index, value] of GREEN.entries()) {
    t.ok(
      Math.abs((mean[index] ?? 0) - value) <= 6,
      `part ${index} of the colour is ${mean[index]}, painted as ${value}`,
    );
  }
});

t.test('a recording of one picture has that one as its poster', async (t) => {
  const order = await recorded(t, [BLUE]);
  const { mean } = await seen(await makePoster(order));
  t.ok((mean[2] ?? 0) > 200 && (mean[0] ?? 255) < 60, `mean ${mean}`);
});

t.test('a large picture becomes small and keeps its shape, upright or lying', async (t) => {
  for (const [width, height] of [
    [1_180, 2_556],
    [2_556, 1_180],
  ] as const) {
    const order = await recorded(t, [GREEN], width, height);
    const poster = await seen(await makePoster(order));
    t.equal(Math.max(poster.width ?? 0, poster.height ?? 0), POSTER_LONG_EDGE);
    t.equal((poster.width ?? 0) > (poster.height ?? 0), width > height);
    const stretch = (poster.width ?? 0) / (poster.height ?? 1) / (width / height);
    t.ok(Math.abs(stretch - 1) < 0.01, `its shape is ${stretch} of the video's`);
  }
});

t.test('a file that is damaged, of another size or gone has no poster', async (t) => {
  const order = await recorded(t, [RED, GREEN, BLUE]);
  const bytes = readFileSync(order.file);
  const noise = Buffer.from(bytes);
  for (let at = noise.indexOf('mdat') + 12; at < noise.length; at++) noise[at] = (at * 89) % 256;
  const damages: readonly (() => void)[] = [
    () => writeFileSync(order.file, noise),
    () => writeFileSync(order.file, Buffer.alloc(bytes.length, 0x5a)),
    () => writeFileSync(order.file, bytes.subarray(0, -1)),
    () => appendFileSync(order.file, 'xx'),
    () => rmSync(order.file),
    () => symlinkSync('/etc/hostname', order.file),
  ];
  for (const damage of damages) {
    damage();
    await t.rejects(makePoster(order), { name: 'RecordingFault', code: 'container_invalid', retryable: false });
  }
  rmSync(order.file);
  writeFileSync(order.file, bytes);
  t.ok(await makePoster(order));
});
