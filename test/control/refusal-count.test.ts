import { LIMITS } from '@runcloud/protocol/terms';
import t from 'tap';
import { RefusalCount } from '../../server/control/refusal-count.ts';
import { ManualClock } from '../account/manual-clock.ts';

const MAX = LIMITS.refusedMessagesPerMinute;

t.test('the refusals that are allowed in a minute pass, and the next one is too many', async (t) => {
  const count = new RefusalCount(new ManualClock());
  for (let index = 0; index < MAX; index++) if (count.tooMany()) t.fail(`refusal ${index} was too many`);
  t.ok(count.tooMany());
  t.ok(count.tooMany(), 'and so is every one after it');
});

t.test('a new minute starts with nothing counted', async (t) => {
  const clock = new ManualClock();
  const count = new RefusalCount(clock);
  for (let index = 0; index <= MAX; index++) count.tooMany();
  clock.advance(60_000);
  t.ok(count.tooMany(), 'the minute is not over yet');
  clock.advance(1);
  t.notOk(count.tooMany());
});

t.test('a client that is refused now and then is never closed', async (t) => {
  const clock = new ManualClock();
  const count = new RefusalCount(clock);
  for (let index = 0; index < MAX * 3; index++) {
    clock.advance(100);
    if (count.tooMany()) t.fail(`refusal ${index} was too many`);
  }
  t.pass('none was too many');
});
