import { CAPABILITIES, PLATFORMS } from '@runcloud/protocol/terms';
import t from 'tap';
import type { Point } from '../../../server/device/driver.ts';
import { colourAt, ManualPhone, seeded, words } from '../manual-phone.ts';

const CORNERS: readonly Point[] = [
  { x: 0, y: 0 },
  { x: 1, y: 0 },
  { x: 0, y: 1 },
  { x: 1, y: 1 },
  { x: 0.5, y: 0.002 },
  { x: 0.5, y: 0.998 },
];

/** The word of pure magenta, the marker of the first pointer. */
const MARKER = 0xffff00ff;

function markedPixels(picture: ReturnType<ManualPhone['phone']['render']>): string[] {
  const marked: string[] = [];
  words(picture).forEach((word, index) => {
    if (word === MARKER) marked.push(`${index % picture.width},${Math.floor(index / picture.width)}`);
  });
  return marked;
}

for (const platform of PLATFORMS) {
  for (const orientation of CAPABILITIES[platform].orientations) {
    t.test(`${platform} ${orientation}: a tap marks exactly the pixel under it, corners included`, async (t) => {
      const subject = new ManualPhone(platform, orientation);
      subject.open('touch-lab');
      const random = seeded(5);
      const points = [...CORNERS, ...Array.from({ length: 40 }, () => ({ x: random(), y: random() }))];
      for (const point of points) {
        subject.phone.touch('begin', [point], subject.nextSeq());
        subject.phone.touch('end', [point], subject.nextSeq());
        const picture = subject.phone.render();
        const x = Math.min(picture.width - 1, Math.floor(point.x * picture.width + 1e-6));
        const y = Math.min(picture.height - 1, Math.floor(point.y * picture.height + 1e-6));
        t.same(markedPixels(picture), [`${x},${y}`]);
        t.same(subject.app.lastTouch, { x, y });
      }
      t.equal(subject.app.taps, points.length);
    });
  }
}

t.test('before any touch no pixel has the colour of a marker', async (t) => {
  const subject = new ManualPhone('ios');
  subject.open('touch-lab');
  t.same(markedPixels(subject.phone.render()), []);
});

function lab(): ManualPhone {
  const subject = new ManualPhone('ios');
  subject.open('touch-lab');
  return subject;
}

t.test('gestures of one finger are told apart by way and time', async (t) => {
  const subject = lab();
  const at = { x: 300, y: 700 };
  subject.tap(at, 120);
  t.match(subject.app.lastGesture, { kind: 'tap', durationMs: 120, pointerCount: 1, from: at, to: at });
  subject.tap(at, 650);
  t.match(subject.app.lastGesture, { kind: 'longPress', durationMs: 650 });
  subject.swipe(at, { x: 300, y: 300 }, 300);
  t.match(subject.app.lastGesture, { kind: 'swipe', durationMs: 300, from: at, to: { x: 300, y: 300 } });
  subject.swipe(at, { x: 300, y: 300 }, 900);
  t.match(subject.app.lastGesture, { kind: 'drag', durationMs: 900 });
  t.equal(subject.app.taps, 1);
});

t.test('a finger that comes back to where it began has not tapped', async (t) => {
  const subject = lab();
  const [start, away] = [subject.point({ x: 100, y: 600 }), subject.point({ x: 200, y: 600 })];
  subject.phone.touch('begin', [start], 1);
  subject.phone.touch('move', [away], 2);
  subject.phone.touch('end', [start], 3);
  t.match(subject.app.lastGesture, { kind: 'swipe' });
  t.equal(subject.app.taps, 0);
});

t.test('two fingers pinch when they come closer, and are both marked', async (t) => {
  const subject = lab();
  const pair = (left: number, right: number) => [
    subject.point({ x: left, y: 700 }),
    subject.point({ x: right, y: 710 }),
  ];
  subject.phone.touch('begin', pair(100, 500), 1);
  t.same(subject.phone.inspect().pointers, [
    { x: 100, y: 700 },
    { x: 500, y: 710 },
  ]);
  subject.phone.touch('move', pair(200, 400), 2);
  const picture = subject.phone.render();
  t.equal(colourAt(picture, { x: 200, y: 700 }), '#ff00ff');
  t.equal(colourAt(picture, { x: 400, y: 710 }), '#00ffff');
  subject.phone.touch('end', pair(200, 400), 3);
  t.match(subject.app, { pointerCountMax: 2, lastGesture: { kind: 'pinch', pointerCount: 2 } });
  subject.phone.touch('begin', pair(100, 300), 4);
  subject.phone.touch('end', pair(150, 350), 5);
  t.match(subject.app.lastGesture, { kind: 'twoFinger' });
});

t.test('a cancelled touch is recorded but is no gesture', async (t) => {
  const subject = lab();
  subject.phone.touch('begin', [{ x: 0.5, y: 0.5 }], 1);
  subject.phone.releaseAll();
  t.match(subject.app, { taps: 0, lastGesture: undefined, pointers: { length: 0 } });
  t.match((subject.app.touches as { phase: string }[]).at(-1), { phase: 'cancel' });
  t.same(subject.phone.inspect().pointers, []);
});

t.test('keys, buttons and text are shown with how long they were held', async (t) => {
  const subject = lab();
  const before = subject.phone.render().version;
  subject.press('k', ['control', 'shift'], 340);
  t.same(subject.app.lastKey, { key: 'k', modifiers: ['control', 'shift'], heldMs: 340 });
  subject.button('volumeDown', 80);
  t.same(subject.app.lastButton, { button: 'volumeDown', heldMs: 80 });
  subject.phone.typeText('to be seen', 90);
  t.equal(subject.app.text, 'to be seen');
  t.ok(subject.phone.render().version > before);
});

t.test('at most 2,000 steps of touches are kept, the newest last', async (t) => {
  const subject = lab();
  for (let step = 0; step < 4500; step++) {
    subject.phone.touch('begin', [{ x: 0.1, y: 0.1 }], step);
    subject.phone.touch('end', [{ x: 0.9, y: 0.9 }], step);
  }
  const touches = subject.app.touches as { phase: string }[];
  t.equal(touches.length, 2000);
  t.match(touches.at(-1), { phase: 'end' });
});
