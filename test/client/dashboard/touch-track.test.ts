import t from 'tap';
import { type TouchInput, TouchTrack } from '../../../client/dashboard/player/touch-track.ts';

const input = (action: string, fields: object, atMs: number, lastedMs = 0): TouchInput => ({
  action,
  fields: fields as TouchInput['fields'],
  atMs,
  lastedMs,
});

t.test('a tap is seen from its beginning, rests, and fades', async (t) => {
  const track = new TouchTrack([input('tap', { x: 0.25, y: 0.5 }, 1_000)]);
  t.strictSame(track.at(999), []);
  t.strictSame(track.at(1_000), [{ x: 0.25, y: 0.5, isDown: true, strength: 1 }]);
  const [fading] = track.at(1_300);
  t.match(fading, { x: 0.25, y: 0.5, isDown: false });
  t.ok(fading && fading.strength > 0 && fading.strength < 1);
  t.strictSame(track.at(2_000), []);
});

t.test('a swipe moves evenly from its first point to its last', async (t) => {
  const track = new TouchTrack([
    input('swipe', { from: { x: 0, y: 1 }, to: { x: 1, y: 0 }, durationMs: 400 }, 500, 420),
  ]);
  const halfway = track.at(700)[0];
  t.match(halfway, { x: 0.5, y: 0.5, isDown: true });
  t.match(track.at(900)[0], { x: 1, y: 0, isDown: false });
});

t.test('each finger of a gesture goes from step to step at their times', async (t) => {
  const steps = [
    {
      phase: 'begin',
      points: [
        { x: 0, y: 0 },
        { x: 1, y: 1 },
      ],
      delayMs: 100,
    },
    {
      phase: 'move',
      points: [
        { x: 0.5, y: 0 },
        { x: 0.5, y: 1 },
      ],
      delayMs: 300,
    },
    {
      phase: 'end',
      points: [
        { x: 0.5, y: 0.5 },
        { x: 0.5, y: 0.5 },
      ],
    },
  ];
  const track = new TouchTrack([input('gesture', { steps }, 0, 400)]);
  const shown = (ms: number) => track.at(ms).map(({ x, y }) => [Number(x.toFixed(3)), Number(y.toFixed(3))]);
  t.strictSame(shown(50), [
    [0.25, 0],
    [0.75, 1],
  ]);
  t.strictSame(shown(250), [
    [0.5, 0.25],
    [0.5, 0.75],
  ]);
  t.strictSame(shown(400), [
    [0.5, 0.5],
    [0.5, 0.5],
  ]);
});

t.test('the steps of a live gesture have times of their own', async (t) => {
  const steps = [
    { phase: 'begin', points: [{ x: 0, y: 0 }], atMs: 4 },
    { phase: 'end', points: [{ x: 1, y: 1 }], atMs: 204 },
  ];
  const track = new TouchTrack([input('pointer', { steps }, 1_000, 210)]);
  t.match(track.at(1_104)[0], { x: 0.5, y: 0.5, isDown: true });
  t.match(track.at(1_204)[0], { x: 1, y: 1, isDown: false });
});

t.test('only what has touched at that moment is drawn, whatever came before, and in any order', async (t) => {
  const taps = Array.from({ length: 2_000 }, (_, index) => input('tap', { x: index / 2_000, y: 0.5 }, index * 1_000));
  const long = input('swipe', { from: { x: 0, y: 0 }, to: { x: 1, y: 1 }, durationMs: 30_000 }, 990_000);
  const track = new TouchTrack([...taps.reverse(), long]);
  t.strictSame(
    track.at(1_000_050).map(({ x }) => Math.round(x * 1_000)),
    [500, 335],
    'the tap of this second, and the long swipe that began before',
  );
});

t.test('an input without fingers, or with fields that are none, draws nothing', async (t) => {
  const odd = [
    input('pressKey', { key: 'a' }, 0),
    input('tap', { x: '1', y: 2 }, 0),
    input('swipe', { from: { x: 1, y: 1 } }, 0),
    input('gesture', { steps: [{ points: [{ x: 1 }] }] }, 0),
    input('gesture', { steps: [] }, 0),
    input('gesture', { steps: [null] }, 0),
  ];
  t.strictSame(new TouchTrack(odd).at(10), []);
});
