import t from 'tap';
import type { Picture, Rect } from '../../../server/device/driver.ts';
import { VirtualDevice } from '../../../server/drivers/virtual/virtual-device.ts';
import { inFlight } from '../../../server/host/in-flight.ts';
import { H264Encoder } from '../../../server/host/stream/h264-encoder.ts';
import type { EncodedPicture } from '../../../server/host/stream/picture-encoder.ts';
import { solidPicture } from '../../support/scripted-device.ts';
import { decodePictures, ffmpeg, psnr, withFfmpeg } from './ffmpeg.ts';
import { H264 } from './stream-arena.ts';

/** A picture with smooth and sharp parts that differs with each version. */
function testPicture(version: number, width: number, height: number): Picture {
  const pixels = new Uint8Array(width * height * 4).fill(255);
  const left = (version * 13) % width;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const inBox = x >= left && x < left + 40 && y > height / 3 && y < height / 2;
      pixels.set(inBox ? [230, 30, 40] : [(x * 200) / width, (y * 200) / height, 90], (y * width + x) * 4);
    }
  }
  return { ...solidPicture(version, 0), pixels, width, height, damage: [{ x: 0, y: 0, width, height }] };
}

async function encodeAll(
  encoder: H264Encoder,
  pictures: readonly Picture[],
  keys: readonly number[] = [],
): Promise<EncodedPicture[]> {
  t.teardown(() => encoder.close());
  const encoded: EncodedPicture[] = [];
  for (const [index, picture] of pictures.entries()) {
    encoded.push(await encoder.encode(picture, keys.includes(index), 1_000_000 + index * 16_667));
  }
  return encoded;
}

const payloads = (encoded: readonly EncodedPicture[]) => encoded.map(({ payload }) => payload);
/** Each picture is read in its own size, and only read. */
const READ_ALL = ['-autoscale', '0', '-f', 'null', '-'] as const;

const nalTypes = (packet: Uint8Array): number[] => {
  const types: number[] = [];
  for (let at = 0; at + 3 < packet.length; at++) {
    if (packet[at] === 0 && packet[at + 1] === 0 && packet[at + 2] === 1) types.push((packet[at + 3] ?? 0) & 0x1f);
  }
  return types;
};

t.test('every picture comes out at once; key packets begin with SPS and PPS and are IDR', async (t) => {
  const pictures = Array.from({ length: 20 }, (_, version) => testPicture(version, 176, 320));
  const encoded = await encodeAll(new H264Encoder(H264), pictures, [7, 12]);
  for (const [index, { key, payload, codec }] of encoded.entries()) {
    const types = nalTypes(payload);
    t.equal(key, [0, 7, 12].includes(index));
    t.match(codec, /^avc1\.42[c-f]0[0-9a-f]{2}$/, 'constrained baseline');
    if (key) t.strictSame([types[0], types[1], types.at(-1)], [7, 8, 5]);
    else t.match(types.join(), /^1(,1)?$/, 'a slice of each thread, and no parameter sets');
  }
});

t.test('an unchanged screen costs a few bytes', async (t) => {
  const device = new VirtualDevice({ platform: 'ios' });
  t.teardown(() => device.close());
  const picture = await device.capture();
  const encoded = await encodeAll(new H264Encoder(H264), [picture, picture, picture, picture]);
  const [first = 0, ...again] = encoded.map(({ payload }) => payload.length);
  for (const bytes of again) t.ok(bytes < 64 && first > 10_000, `${bytes} after ${first} bytes`);
});

t.test('the pictures that ffmpeg reads are those that went in, in their order', withFfmpeg(), async (t) => {
  const pictures = Array.from({ length: 12 }, (_, version) => testPicture(version, 176, 320));
  const encoded = await encodeAll(new H264Encoder({ ...H264, quality: 90 }), pictures, [5]);
  const decoded = await decodePictures(payloads(encoded), 176 * 320 * 4);
  t.equal(decoded.length, pictures.length);
  for (const [index, { pixels }] of pictures.entries()) {
    const quality = psnr(decoded[index] ?? Buffer.alloc(0), pixels);
    t.ok(quality > 33, `${quality} dB`);
  }
});

t.test('a stream that turns is read without a warning, each part in its size', withFfmpeg(), async (t) => {
  const upright = Array.from({ length: 6 }, (_, version) => testPicture(version, 176, 320));
  const lying = Array.from({ length: 6 }, (_, version) => testPicture(version, 320, 176));
  const encoded = await encodeAll(new H264Encoder({ ...H264, quality: 90 }), [...upright, ...lying, ...upright], [3]);
  t.strictSame(
    encoded.flatMap(({ key }, index) => (key ? [index] : [])),
    [0, 3, 6, 12],
  );
  const whole = await ffmpeg(payloads(encoded), 'warning', READ_ALL);
  t.strictSame([whole.status, whole.messages], [0, '']);
  for (const [index, pictures] of [upright, lying, upright].entries()) {
    const part = encoded.slice(index * 6, index * 6 + 6);
    t.ok(part.every(({ width, height }) => width === pictures[0]?.width && height === pictures[0]?.height));
    const decoded = await decodePictures(payloads(part), 176 * 320 * 4);
    t.equal(decoded.length, 6);
    for (const [at, { pixels }] of pictures.entries()) t.ok(psnr(decoded[at] ?? Buffer.alloc(0), pixels) > 33);
  }
});

t.test('a viewer who joins at any key packet can read from there', withFfmpeg(), async (t) => {
  const pictures = Array.from({ length: 12 }, (_, version) => testPicture(version, 176, 320));
  const encoded = await encodeAll(new H264Encoder(H264), pictures, [4, 9]);
  for (const key of [0, 4, 9]) {
    const { status, messages } = await ffmpeg(payloads(encoded.slice(key)), 'warning', READ_ALL);
    t.strictSame([status, messages], [0, '']);
  }
});

t.test('the stream says that nothing is reordered, and which colours it has', withFfmpeg(), async (t) => {
  const encoded = await encodeAll(new H264Encoder(H264), [testPicture(1, 590, 1280)]);
  const args = ['-c', 'copy', '-bsf:v', 'trace_headers', '-f', 'null', '-'];
  const { messages } = await ffmpeg(payloads(encoded), 'verbose', args);
  const field = (name: string) => new RegExp(`\\s${name}\\s+[01]+ = (\\d+)`).exec(messages)?.[1];
  for (const [name, value] of [
    ['profile_idc', 66],
    ['constraint_set1_flag', 1],
    ['entropy_coding_mode_flag', 0],
    ['max_num_ref_frames', 1],
    ['bitstream_restriction_flag', 1],
    ['max_num_reorder_frames', 0],
    ['max_dec_frame_buffering', 1],
    ['video_full_range_flag', 1],
    ['colour_primaries', 1],
    ['transfer_characteristics', 1],
    ['matrix_coefficients', 1],
  ] as const) {
    t.equal(field(name), String(value), name);
  }
});

/** A picture in which a box of the one before has moved, and that says so. */
function movedBox(before: Picture, step: number): Picture {
  const { width, height } = before;
  const boxAt = (at: number): Rect => ({
    x: (at * 37) % (width - 25),
    y: (at * 53) % (height - 19),
    width: 23,
    height: 17,
  });
  const pixels = before.pixels.slice();
  const fill = ({ x, y, width: across, height: down }: Rect, colour: readonly number[]) => {
    for (let row = y; row < y + down; row++) {
      for (let column = x; column < x + across; column++) pixels.set(colour, (row * width + column) * 4);
    }
  };
  fill(boxAt(step - 1), [30, 60, (step * 40) % 256]);
  fill(boxAt(step), [250, 200, 20]);
  return { ...before, pixels, version: before.version + 1, damage: [boxAt(step - 1), boxAt(step)] };
}

for (const maxLongEdge of [undefined, 200]) {
  const title = maxLongEdge === undefined ? 'its own size' : 'a smaller size';
  t.test(`a screen that changes in parts is shown as it is, in ${title}`, withFfmpeg(), async (t) => {
    const pictures = [testPicture(1, 177, 321)];
    for (let step = 1; step < 60; step++) pictures.push(movedBox(pictures[step - 1] ?? testPicture(1, 177, 321), step));
    const profile = { ...H264, quality: 95, ...(maxLongEdge === undefined ? {} : { maxLongEdge }) };
    const inParts = await encodeAll(new H264Encoder(profile), pictures, [30]);
    // The same pictures, of which it is not said what changed.
    const whole = pictures.map((picture) => ({ ...picture, version: picture.version * 2 }));
    const atOnce = await encodeAll(new H264Encoder(profile), whole, [30]);
    const { width = 0, height = 0 } = inParts[0] ?? {};
    const decoded = await decodePictures(payloads(inParts), width * height * 4);
    const expected = await decodePictures(payloads(atOnce), width * height * 4);
    t.equal(decoded.length, pictures.length);
    for (const [index, shown] of decoded.entries()) {
      const quality = psnr(shown, expected[index] ?? Buffer.alloc(0));
      t.ok(quality > 42, `${quality} dB`);
    }
  });
}

t.test('pictures that went elsewhere in between are not lost', withFfmpeg(), async (t) => {
  const pictures = [testPicture(1, 176, 320)];
  for (let step = 1; step < 30; step++) pictures.push(movedBox(pictures[step - 1] ?? testPicture(1, 176, 320), step));
  const seen = pictures.filter((_, index) => index % 3 === 0);
  const profile = { ...H264, quality: 95 };
  const decoded = await decodePictures(payloads(await encodeAll(new H264Encoder(profile), seen)), 176 * 320 * 4);
  const keys = seen.map((_, index) => index);
  const expected = await decodePictures(payloads(await encodeAll(new H264Encoder(profile), seen, keys)), 176 * 320 * 4);
  for (const [index, shown] of decoded.entries()) {
    const quality = psnr(shown, expected[index] ?? Buffer.alloc(0));
    t.ok(quality > 38, `${quality} dB`);
  }
});

t.test('an odd size loses its last column and row, sharply', withFfmpeg(), async (t) => {
  const picture = testPicture(3, 177, 321);
  const [encoded] = await encodeAll(new H264Encoder({ ...H264, quality: 95 }), [picture]);
  t.match(encoded, { width: 176, height: 320 });
  const cropped = new Uint8Array(176 * 320 * 4);
  for (let y = 0; y < 320; y++) cropped.set(picture.pixels.subarray(y * 177 * 4, (y * 177 + 176) * 4), y * 176 * 4);
  const [decoded] = await decodePictures(encoded ? [encoded.payload] : [], cropped.length);
  t.ok(psnr(decoded ?? Buffer.alloc(0), cropped) > 33);
});

t.test('a bound on the longer edge keeps the shape, in even numbers', withFfmpeg(), async (t) => {
  const [encoded] = await encodeAll(new H264Encoder({ ...H264, maxLongEdge: 333 }), [testPicture(1, 590, 1280)]);
  t.match(encoded, { width: 152, height: 332 });
  const decoded = await decodePictures(encoded ? [encoded.payload] : [], 152 * 332 * 4);
  t.equal(decoded.length, 1);
  const [first = Buffer.alloc(0)] = decoded;
  t.ok(psnr(first, testPicture(1, 152, 332).pixels) > 16, 'about the same picture');
});

t.test(
  'a stream that is made smaller goes on with a key picture, and so does one that grows back',
  withFfmpeg(),
  async (t) => {
    const encoder = new H264Encoder({ ...H264, quality: 95 });
    t.teardown(() => encoder.close());
    const encoded: EncodedPicture[] = [];
    for (const share of [1, 1, 0.5, 0.5, 1]) {
      encoder.reduceTo(share);
      encoded.push(await encoder.encode(testPicture(encoded.length, 176, 320), false, encoded.length * 16_667 + 1));
    }
    t.strictSame(
      encoded.map(({ key, width, height }) => [key, width, height]),
      [
        [true, 176, 320],
        [false, 176, 320],
        [true, 88, 160],
        [false, 88, 160],
        [true, 176, 320],
      ],
    );
    const whole = await ffmpeg(payloads(encoded), 'warning', READ_ALL);
    t.strictSame([whole.status, whole.messages], [0, '']);
    const bounded = new H264Encoder({ ...H264, maxLongEdge: 200 });
    t.teardown(() => bounded.close());
    bounded.reduceTo(0.5);
    t.match(await bounded.encode(testPicture(1, 176, 320), false, 1), { width: 54, height: 100 });
  },
);

t.test('times that stand still or go back do not stop the encoder', async (t) => {
  const encoder = new H264Encoder(H264);
  t.teardown(() => encoder.close());
  for (const atUs of [5_000_000, 5_000_000, 4_000_000, 6_000_000]) {
    t.ok((await encoder.encode(testPicture(1, 64, 64), false, atUs)).payload.length > 0);
  }
});

t.test('encoders come and go without holding memory', async (t) => {
  const picture = testPicture(1, 590, 1280);
  const round = async () => {
    const encoder = new H264Encoder(H264);
    await encoder.encode(picture, false, 1);
    encoder.close();
    encoder.close();
  };
  for (let warmUp = 0; warmUp < 10; warmUp++) await round();
  const before = process.memoryUsage.rss();
  for (let turn = 0; turn < 40; turn++) await round();
  const grownMiB = (process.memoryUsage.rss() - before) / 2 ** 20;
  // One encoder of this size holds about 30 MiB; forty that leak would not go unnoticed.
  t.ok(grownMiB < 200, `${grownMiB} MiB`);
});

t.test('pixels may change as soon as they are read, while the picture is still encoded', withFfmpeg(), async (t) => {
  const encoder = new H264Encoder({ ...H264, quality: 95 });
  t.teardown(() => encoder.close());
  const pictures = [testPicture(1, 590, 1280), testPicture(2, 590, 1280)];
  const encoded: EncodedPicture[] = [];
  for (const [index, picture] of pictures.entries()) {
    // The second says that half of it changed, which is read in turns; the first is read as a whole.
    const shown = { ...picture, pixels: picture.pixels.slice(), damage: [{ x: 0, y: 400, width: 590, height: 300 }] };
    const encoding = encoder.encode(shown, false, index * 16_667 + 1);
    let done = false;
    void encoding.then(() => {
      done = true;
    });
    await encoder.reading;
    t.notOk(done, 'reading ends first');
    shown.pixels.fill(0);
    encoded.push(await encoding);
  }
  const decoded = await decodePictures(payloads(encoded), 590 * 1280 * 4);
  for (const [index, { pixels }] of pictures.entries()) {
    t.ok(psnr(decoded[index] ?? Buffer.alloc(0), pixels) > 33);
  }
});

t.test('the event loop goes round while a picture is read and encoded', async (t) => {
  const encoder = new H264Encoder(H264);
  t.teardown(() => encoder.close());
  for (const [version, damage] of [
    [1, [{ x: 0, y: 0, width: 590, height: 1280 }]],
    [2, [{ x: 0, y: 0, width: 590, height: 640 }]],
  ] as const) {
    let rounds = 0;
    let busy = true;
    const count = () => {
      rounds++;
      if (busy) setImmediate(count);
    };
    setImmediate(count);
    await encoder.encode({ ...testPicture(version, 590, 1280), damage }, false, version);
    busy = false;
    t.ok(rounds > 0, `${rounds} rounds`);
  }
});

t.test('an encoder that is closed over a picture brings it to its end, and what it began is known', async (t) => {
  for (let round = 0; round < 10; round++) {
    const encoder = new H264Encoder(H264);
    const encoding = encoder.encode(testPicture(1, 590, 1280), false, 1);
    encoder.close();
    let encoded = false;
    void encoding.then(() => {
      encoded = true;
    });
    await inFlight.settled();
    t.ok(encoded);
    t.match(await encoding, { key: true, width: 590, height: 1280 });
    encoder.close();
  }
});
