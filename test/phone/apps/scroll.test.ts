import t from 'tap';
import { ManualPhone } from '../manual-phone.ts';

function list(): ManualPhone {
  const subject = new ManualPhone('ios');
  subject.open('scroll');
  return subject;
}

t.test('a scroll moves the list at once by fractions of the room, and ends at both ends', async (t) => {
  const subject = list();
  subject.phone.scroll(0, 0.5, undefined, 1);
  t.match(subject.app, { offset: Math.round(subject.layout().viewport.height / 2), velocity: 0 });
  t.ok(Number(subject.app.firstRow) > 0);
  subject.phone.scroll(0, -1, { x: 0.5, y: 0.5 }, 2);
  t.equal(subject.app.offset, 0);
  for (let step = 0; step < 60; step++) subject.phone.scroll(0, 1, undefined, step);
  const end = subject.app.offset;
  subject.phone.scroll(0, 1, undefined, 99);
  t.equal(subject.app.offset, end);
  t.ok(Number(subject.app.firstRow) < 500);
});

t.test('a slow drag moves the list as far as the finger and leaves it there', async (t) => {
  const subject = list();
  subject.phone.touch('begin', [subject.point({ x: 300, y: 900 })], 1);
  for (let step = 1; step <= 40; step++) {
    subject.clock.advance(30);
    subject.phone.touch('move', [subject.point({ x: 300, y: 900 - step * 5 })], 2);
  }
  subject.clock.advance(200);
  subject.phone.touch('end', [subject.point({ x: 300, y: 700 })], 3);
  t.match(subject.app, { offset: 200, velocity: 0 });
  t.equal(subject.phone.animating, false);
});

t.test('a flick goes on by itself, slows down and comes to rest', async (t) => {
  const subject = list();
  subject.swipe({ x: 300, y: 1000 }, { x: 300, y: 600 }, 100);
  const { offset, velocity } = subject.app as { offset: number; velocity: number };
  t.ok(velocity > 1000, 'pixels per second');
  t.equal(subject.phone.animating, true);
  subject.clock.advance(200);
  const later = subject.app as { offset: number; velocity: number };
  t.ok(later.offset > offset && later.velocity < velocity);
  subject.clock.advance(5000);
  subject.phone.render();
  t.equal(subject.phone.animating, false);
  t.equal(subject.app.velocity, 0);
});

t.test('a finger stops the momentum where it is', async (t) => {
  const subject = list();
  subject.swipe({ x: 300, y: 1000 }, { x: 300, y: 600 }, 100);
  subject.clock.advance(100);
  subject.tap({ x: 300, y: 600 });
  const { offset } = subject.app;
  subject.clock.advance(1000);
  t.match(subject.app, { offset, velocity: 0 });
});

t.test('slow animations slow the momentum ten times', async (t) => {
  const [normal, slow] = [list(), list()];
  slow.phone.setRenderDebug('slowAnimations', true, 1);
  for (const subject of [normal, slow]) subject.swipe({ x: 300, y: 1000 }, { x: 300, y: 600 }, 100);
  normal.clock.advance(100);
  slow.clock.advance(1000);
  t.equal(slow.app.offset, normal.app.offset);
});
