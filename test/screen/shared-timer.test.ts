import t from 'tap';
import { SharedTimer } from '../../server/screen/shared-timer.ts';
import { FakeClock } from '../support/fake-clock.ts';

function open() {
  const clock = new FakeClock();
  const woken: (readonly string[])[] = [];
  return { clock, woken, timer: new SharedTimer<string>(clock, (sleepers) => woken.push(sleepers)) };
}

t.test('all waiting parties are woken together by one timer, when the first is due', async (t) => {
  const { clock, woken, timer } = open();
  timer.add('late', 50);
  timer.add('early', 10);
  timer.add('early', 20);
  t.equal(clock.waiting, 1);
  await clock.advance(9);
  t.same(woken, []);
  await clock.advance(1);
  t.same(woken, [['late', 'early']]);
  t.equal(clock.waiting, 0);
});

t.test('a party that has left is not woken, and without any party there is no timer', async (t) => {
  const { clock, woken, timer } = open();
  for (const name of ['one', 'two']) timer.add(name, 5);
  timer.delete('one');
  await clock.advance(5);
  t.same(woken, [['two']]);
  timer.add('three', 5);
  timer.delete('three');
  t.equal(clock.waiting, 0);
  timer.add('four', 5);
  timer.close();
  await clock.advance(10);
  t.equal(woken.length, 1);
});

t.test('a wait of nothing is one of a millisecond, so that the loop goes round', async (t) => {
  const { clock, woken, timer } = open();
  timer.add('one', 0);
  t.same(woken, []);
  await clock.advance(1);
  t.same(woken, [['one']]);
});
