import t from 'tap';
import { Watchdog } from '../../server/flow/watchdog.ts';
import { FakeClock } from '../support/fake-clock.ts';

t.test('a limit is told once, and not when another was set or it was cleared before', async (t) => {
  const clock = new FakeClock();
  const watchdog = new Watchdog(clock);
  const told: string[] = [];
  watchdog.clear();
  watchdog.set(10, () => told.push('first'));
  await clock.advance(9);
  watchdog.set(10, () => told.push('second'));
  await clock.advance(9);
  t.strictSame(told, []);
  await clock.advance(30);
  t.strictSame(told, ['second']);
  watchdog.set(10, () => told.push('third'));
  watchdog.clear();
  await clock.advance(30);
  t.strictSame(told, ['second']);
  t.equal(clock.waiting, 0);
});
