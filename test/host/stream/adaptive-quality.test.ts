import t from 'tap';
import { AdaptiveQuality } from '../../../server/host/stream/adaptive-quality.ts';

/** A screen that never rests, from `fromMs` on; `loadMs` tells what a picture takes. Returns when it ended. */
function run(
  quality: AdaptiveQuality,
  fromMs: number,
  ms: number,
  loadMs: (quality: AdaptiveQuality) => number,
): number {
  let nowMs = fromMs;
  while (nowMs < fromMs + ms) {
    const takesMs = loadMs(quality);
    quality.took(nowMs, takesMs);
    nowMs += Math.max(1_000 / quality.fps, takesMs);
  }
  return nowMs;
}

const state = ({ fps, sizeShare }: AdaptiveQuality) => ({ fps, sizeShare });

t.test('the rate goes down first, then the size, and both no further than they are of use', (t) => {
  const quality = new AdaptiveQuality(60);
  const seen = [state(quality)];
  for (let nowMs = 0; nowMs < 30_000; ) {
    nowMs = run(quality, nowMs, 100, () => 120);
    const { fps, sizeShare } = state(quality);
    if (fps !== seen.at(-1)?.fps || sizeShare !== seen.at(-1)?.sizeShare) seen.push({ fps, sizeShare });
  }
  t.strictSame(seen, [
    { fps: 60, sizeShare: 1 },
    { fps: 30, sizeShare: 1 },
    { fps: 30, sizeShare: 0.5 },
    { fps: 15, sizeShare: 0.5 },
    { fps: 10, sizeShare: 0.5 },
  ]);
  t.end();
});

t.test('a stream stays where its pictures have their time', (t) => {
  const quality = new AdaptiveQuality(60);
  // Too much for 60 a second, half of what 30 leave.
  run(quality, 0, 60_000, () => 16);
  t.strictSame(state(quality), { fps: 30, sizeShare: 1 });
  t.end();
});

t.test('half the size is kept where it helps', (t) => {
  const quality = new AdaptiveQuality(60);
  run(quality, 0, 60_000, ({ sizeShare }) => 40 * sizeShare);
  t.strictSame(state(quality), { fps: 30, sizeShare: 0.5 });
  t.end();
});

t.test('a machine that holds up every third picture changes nothing', (t) => {
  const quality = new AdaptiveQuality(60);
  let picture = 0;
  run(quality, 0, 60_000, () => (picture++ % 3 === 0 ? 60 : 3));
  t.strictSame(state(quality), { fps: 60, sizeShare: 1 });
  t.end();
});

t.test('a second of trouble changes nothing', (t) => {
  const quality = new AdaptiveQuality(60);
  let nowMs = run(quality, 0, 3_000, () => 3);
  nowMs = run(quality, nowMs, 900, () => 30);
  run(quality, nowMs, 3_000, () => 3);
  t.strictSame(state(quality), { fps: 60, sizeShare: 1 });
  t.end();
});

t.test('all comes back when there is time again', (t) => {
  const quality = new AdaptiveQuality(60);
  const nowMs = run(quality, 0, 30_000, () => 120);
  run(quality, nowMs, 20_000, () => 1);
  t.strictSame(state(quality), { fps: 60, sizeShare: 1 });
  t.end();
});

t.test('steps up that fail are tried less and less often', (t) => {
  const quality = new AdaptiveQuality(60);
  const upsAtMs: number[] = [];
  let { fps } = quality;
  // At 60 a second everything is too slow, at 30 all is easy: the machine that this policy cannot please.
  for (let nowMs = 0; nowMs < 300_000; ) {
    nowMs = run(quality, nowMs, 50, (now) => (now.fps === 60 ? 30 : 1));
    if (quality.fps > fps) upsAtMs.push(nowMs);
    fps = quality.fps;
  }
  const gapsMs = upsAtMs.slice(1).map((atMs, index) => atMs - (upsAtMs[index] ?? 0));
  t.ok(gapsMs.length >= 4 && gapsMs.length < 12, `${gapsMs.length} tries in five minutes`);
  t.ok(
    gapsMs.slice(1, 4).every((gapMs, index) => gapMs > (gapsMs[index] ?? 0) * 1.5),
    gapsMs.join(),
  );
  t.end();
});

t.test('single slow pictures with pauses between them change nothing', (t) => {
  const quality = new AdaptiveQuality(60);
  for (let turn = 0; turn < 50; turn++) quality.took(turn * 1_000, 100);
  t.strictSame(state(quality), { fps: 60, sizeShare: 1 });
  t.end();
});

t.test('a rate below ten is as low as it was asked for', (t) => {
  const quality = new AdaptiveQuality(5);
  run(quality, 0, 20_000, () => 300);
  t.equal(quality.fps, 5);
  t.end();
});
