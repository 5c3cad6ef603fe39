import t from 'tap';
import { LIMITS } from '../../../protocol/limits.ts';
import { finish } from '../../../server/finisher/finish.ts';
import type { ScreenProfile } from '../../../server/link/messages.ts';
import { complaints } from '../../support/mp4-judges.ts';
import { withFfmpeg } from '../stream/ffmpeg.ts';
import { HEIGHT, WIDTH } from './captures.ts';
import { RecordingArena, sleep } from './recording-arena.ts';

/** The profile of a viewer that requests the defaults. */
const PLAIN: ScreenProfile = {
  encoding: 'h264',
  quality: LIMITS.screenQuality.default,
  maxFps: LIMITS.screenFps.default,
};

t.test('a recording takes the packets of a viewer of the same size: there is one encoder', async (t) => {
  const arena = await RecordingArena.open(t);
  const viewer = arena.watch(PLAIN);
  await arena.until(() => viewer.pictures.length > 0);
  const recording = await arena.record();
  for (let grey = 0; grey < 10; grey++) {
    const { inputSeq } = arena.paint([grey * 20, grey * 20, grey * 20]);
    await arena.until(() => (viewer.pictures.at(-1)?.inputSeq ?? 0) >= inputSeq);
  }
  await recording.stop();
  t.equal(arena.encoders.length, 1);
  t.ok(viewer.pictures.length >= 8, `${viewer.pictures.length} pictures`);
});

t.test('a viewer who comes later takes the packets of the recording, from a key picture on', async (t) => {
  const arena = await RecordingArena.open(t);
  const recording = await arena.record();
  const viewer = arena.watch(PLAIN);
  await arena.until(() => viewer.pictures.length > 0);
  t.equal(viewer.pictures[0]?.key, true);
  t.equal(arena.encoders.length, 1);
  await recording.stop();
  const before = viewer.pictures.length;
  arena.paint([1, 2, 3]);
  await arena.until(() => viewer.pictures.length > before);
  t.equal(arena.encoders.length, 1, 'the stream goes on without the recording');
  t.strictSame(viewer.ended, []);
});

t.test('a recording goes on when the viewer leaves whose packets it takes', withFfmpeg(), async (t) => {
  const arena = await RecordingArena.open(t);
  const viewer = arena.watch({ ...PLAIN, quality: 70, maxFps: 40 });
  await arena.until(() => viewer.pictures.length > 0);
  const recording = await arena.record();
  viewer.stop();
  for (const [index, [width, height]] of (
    [
      [WIDTH, HEIGHT],
      [HEIGHT, WIDTH],
      [WIDTH, HEIGHT],
    ] as const
  ).entries()) {
    arena.paint([9, 99, 199], width, height);
    await arena.recorded(index + 2);
  }
  const summary = await recording.stop();
  t.ok(summary.sampleCount >= 4, `${summary.sampleCount} samples`);
  await finish(arena.order);
  t.equal(await complaints(arena.order.targetFile), '', 'the packets before and after go together');
});

t.test('a stream that is smaller, slower, poorer or of another kind does not serve', async (t) => {
  for (const other of [
    { ...PLAIN, maxLongEdge: 64 },
    { ...PLAIN, maxFps: 10 },
    { ...PLAIN, quality: 20 },
    { ...PLAIN, encoding: 'jpeg' as const },
  ]) {
    const arena = await RecordingArena.open(t);
    const viewer = arena.watch(other);
    await arena.until(() => viewer.pictures.length > 0);
    const recording = await arena.record();
    t.strictSame(arena.encoders, [other, PLAIN]);
    t.match(recording, { width: WIDTH, height: HEIGHT });
    await recording.stop();
  }
});

t.test('a viewer whose encoder fails and a recording that ends do each other no harm', async (t) => {
  const arena = await RecordingArena.open(t);
  const small = arena.watch({ ...PLAIN, maxLongEdge: 64 });
  const recording = await arena.record();
  await arena.until(() => small.pictures.length > 0);
  await recording.stop();
  const before = small.pictures.length;
  arena.paint([50, 60, 70]);
  await arena.until(() => small.pictures.length > before);
  t.strictSame(small.ended, []);
});

t.test('a stream that shrank because its host lacks time is whole again for as long as it is recorded', async (t) => {
  const arena = await RecordingArena.open(t);
  const viewer = arena.watch(PLAIN);
  let grey = 0;
  const painting = setInterval(() => arena.paint([++grey % 256, 0, 0]), 15);
  t.teardown(() => clearInterval(painting));
  arena.encodingMs = 40;
  const newest = () => viewer.pictures.at(-1) ?? { width: 0 };
  await arena.until(() => newest().width === WIDTH / 2);
  const recording = await arena.record();
  t.match(recording, { width: WIDTH, height: HEIGHT });
  await arena.until(() => newest().width === WIDTH);
  await sleep(500);
  t.equal(newest().width, WIDTH);
  t.equal(arena.encoders.length, 1, 'there is no second encoder where there is no time for one');
  await recording.stop();
});
