import t from 'tap';
import { keyHash, textHash } from '../../server/test-card/readings.ts';
import { TestCard } from '../../server/test-card/test-card.ts';

const card = () => new TestCard({ nonce: 1, visits: 1, grain: 1, slop: 10 });
const A = { x: 100, y: 100 };
const B = { x: 300, y: 200 };

t.test('a touch is a tap, a double tap, a long press or a swipe', (t) => {
  const subject = card();
  const tap = (atMs: number) => {
    subject.touch('begin', [A], atMs);
    subject.touch('end', [A], atMs + 20);
  };
  tap(0);
  tap(5_000);
  t.match(subject.readings, { taps: 2, doubleTaps: 0 });
  tap(5_200);
  t.match(subject.readings, { taps: 3, doubleTaps: 1 });
  subject.touch('begin', [A], 10_000);
  t.equal(subject.readings.fingersDown, 1);
  subject.touch('end', [{ x: 105, y: 100 }], 10_600);
  t.match(subject.readings, { taps: 3, longPresses: 1, fingersDown: 0 });
  subject.touch('begin', [A], 20_000);
  subject.touch('move', [B], 20_100);
  subject.touch('end', [A], 20_200);
  t.match(subject.readings, { taps: 3, longPresses: 1, swipes: 1 });
  t.same(subject.marks, [
    { finger: 0, ...A },
    { finger: 0, ...B },
    { finger: 0, ...A },
  ]);
  t.end();
});

t.test('two fingers are marked each for itself, and a cancelled touch counts as nothing else', (t) => {
  const subject = card();
  subject.touch('begin', [A], 0);
  subject.touch('move', [A, B], 10);
  subject.touch('end', [A, B], 20);
  t.match(subject.readings, { pairs: 1, taps: 0, swipes: 0 });
  t.same(
    subject.marks.filter(({ finger }) => finger === 1),
    [B, B].map((at) => ({ finger: 1, ...at })),
  );
  subject.touch('begin', [A], 100);
  subject.touch('cancel', [A], 110);
  subject.touch('end', [A], 120);
  t.match(subject.readings, { pairs: 1, taps: 0, cancels: 1, fingersDown: 0 });
  t.end();
});

t.test('keys and text are told by what can be compared', (t) => {
  const subject = card();
  subject.key('ArrowLeft', []);
  subject.key('A', ['shift', 'meta']);
  subject.type('Hel');
  subject.type('lo');
  t.match(subject.readings, {
    keys: 2,
    lastKey: keyHash('a'),
    modifiers: 0b1001,
    textLength: 5,
    textHash: textHash('Hello'),
  });
  t.end();
});
