import t from 'tap';
import { WakeUps } from '../../server/screen/wake-ups.ts';
import { FakeClock } from '../support/fake-clock.ts';

function open() {
  const clock = new FakeClock();
  const woken: (readonly string[])[] = [];
  return { clock, woken, wakeUps: new WakeUps<string>(clock, (sleepers) => woken.push(sleepers)) };
}

t.test('those who wait are woken together when the first is due, by one timer', async (t) => {
  const { clock, woken, wakeUps } = open();
  wakeUps.add('late', 50);
  wakeUps.add('early', 10);
  wakeUps.add('early', 20);
  t.equal(clock.waiting, 1);
  await clock.advance(9);
  t.same(woken, []);
  await clock.advance(1);
  t.same(woken, [['late', 'early']]);
  t.equal(clock.waiting, 0);
});

t.test('who has left is not woken, and without anybody there is no timer', async (t) => {
  const { clock, woken, wakeUps } = open();
  for (const name of ['one', 'two']) wakeUps.add(name, 5);
  wakeUps.delete('one');
  await clock.advance(5);
  t.same(woken, [['two']]);
  wakeUps.add('three', 5);
  wakeUps.delete('three');
  t.equal(clock.waiting, 0);
  wakeUps.add('four', 5);
  wakeUps.close();
  await clock.advance(10);
  t.equal(woken.length, 1);
});

t.test('a wait of nothing is one of a millisecond, so that the loop goes round', async (t) => {
  const { clock, woken, wakeUps } = open();
  wakeUps.add('one', 0);
  t.same(woken, []);
  await clock.advance(1);
  t.same(woken, [['one']]);
});
