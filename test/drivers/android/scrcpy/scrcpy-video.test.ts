import t from 'tap';
import { ScrcpyVideo } from '../../../../server/drivers/android/scrcpy/scrcpy-video.ts';
import type { VideoPart } from '../../../../server/drivers/android/scrcpy/video-reader.ts';
import { annexBPictures, HEIGHT, WIDTH } from '../../../support/ios/annex-b-pictures.ts';
import { unitsOf } from '../../../support/ios/serve-sim-stand-in.ts';

const START = Buffer.from([0, 0, 0, 1]);
const typeOf = (unit: Buffer) => (unit[0] ?? 0) % 32;
const annexB = (units: readonly Buffer[]) => Buffer.concat(units.flatMap((unit) => [START, unit]));
const pictures = await annexBPictures(21);
const [first = Buffer.alloc(0)] = pictures;
const SETS = annexB(unitsOf(first).filter((unit) => typeOf(unit) > 6));

/** The first parts of an encoder, and each of its pictures. */
const SIZE: VideoPart = { kind: 'size', width: WIDTH, height: HEIGHT };
const configuration = (payload: Buffer): VideoPart => ({ kind: 'configuration', payload });

const slices = (payload: Buffer) => annexB(unitsOf(payload).filter((unit) => typeOf(unit) < 6));
const picture = (index: number): VideoPart => ({
  kind: 'picture',
  payload: slices(pictures[index] ?? Buffer.alloc(0)),
});

function open() {
  const told: string[] = [];
  const video = new ScrcpyVideo(3, {
    sized: ({ width, height }) => told.push(`size ${width}x${height}`),
    requestKey: () => told.push('reset'),
    silent: () => told.push('silent'),
  });
  const listen = (name: string) => {
    const stop = video.video({
      head: ({ width, height, codec }) => told.push(`${name} head ${width}x${height} ${codec.slice(0, 5)}`),
      picture: ({ key, payload }) =>
        told.push(`${name} ${key ? 'key' : 'delta'} ${typeOf(Buffer.from(payload).subarray(4))}`),
      ended: (reason) => told.push(`${name} ended: ${reason}`),
    });
    return stop;
  };
  return { video, listen, told: () => told.splice(0) };
}

t.test('the first listener finds the video at its beginning, with parameter sets in each key picture', async (t) => {
  const { video, listen, told } = open();
  listen('a');
  video.take(SIZE);
  t.same(told(), [`size ${WIDTH}x${HEIGHT}`]);
  video.take(configuration(SETS));
  video.take(picture(0));
  video.take(picture(1));
  t.same(told(), [`size ${WIDTH}x${HEIGHT}`, `a head ${WIDTH}x${HEIGHT} avc1.`, 'a key 7', 'a delta 1']);
  video.end('over');
  t.same(told(), ['a ended: over']);
});

t.test('a later listener requests a key picture, waits for it, and gets no picture twice', async (t) => {
  const { video, listen, told } = open();
  const stop = listen('a');
  for (const part of [SIZE, configuration(SETS), picture(0)]) video.take(part);
  told();
  const stopB = listen('b');
  t.same(told(), ['reset']);
  video.take(picture(1));
  t.same(told(), ['a delta 1'], 'it goes on for who was there before');
  // The same sets again, as an encoder that is begun anew says them.
  video.take(configuration(SETS));
  video.take(picture(10));
  t.same(told(), [`b head ${WIDTH}x${HEIGHT} avc1.`, 'b key 7', 'a key 7'], 'the newest first');
  stop();
  video.take(picture(11));
  t.same(told(), ['b delta 1']);
  stopB();
  video.take(picture(12));
  t.same(told(), []);
  video.end('over');
});

t.test('no key picture is asked for while one is due', async (t) => {
  const { video, listen, told } = open();
  listen('a');
  for (const part of [SIZE, configuration(SETS), picture(0), configuration(SETS)]) video.take(part);
  told();
  listen('b');
  t.same(told(), []);
  video.take(picture(10));
  t.match(told(), [/^b head/, 'b key 7', 'a key 7']);
  video.end('over');
});

t.test('invalid video ends the stream, and later listeners are told so', async (t) => {
  const { video, listen, told } = open();
  for (const bytes of [
    Buffer.from('no start code'),
    annexB([Buffer.from([0x67, 0xff])]),
    Buffer.concat([SETS, SETS]),
  ]) {
    const other = open().video;
    other.take(SIZE);
    t.throws(() => other.take(configuration(bytes)), RangeError);
  }
  const early = open().video;
  early.take(SIZE);
  t.throws(() => early.take(picture(0)), { name: 'RangeError', message: /before its parameter sets/ });
  video.end('over');
  listen('a');
  await new Promise((resolve) => setImmediate(resolve));
  t.same(told(), ['a ended: over']);
});
