import t from 'tap';
import { SpareMemory } from '../../../server/host/stream/spare-memory.ts';
import { FakeClock } from '../../support/fake-clock.ts';

t.test('memory that was given back is used again for as many bytes, and freed when nothing uses it', async (t) => {
  const clock = new FakeClock();
  const spare = new SpareMemory(clock);
  const one = spare.copyOf(Uint8Array.of(1, 2, 3));
  const other = spare.copyOf(Uint8Array.of(4, 5, 6));
  t.not(one, other, 'two at once have memory of their own');
  t.same([...one, ...other], [1, 2, 3, 4, 5, 6]);
  spare.giveBack(one);
  t.not(spare.copyOf(Uint8Array.of(7)), one);
  const again = spare.copyOf(Uint8Array.of(7, 8, 9));
  t.equal(again, one);
  t.same([...again], [7, 8, 9]);
  spare.giveBack(again);
  await clock.advance(1_999);
  t.equal(spare.copyOf(Uint8Array.of(1, 2, 3)), one);
  spare.giveBack(one);
  await clock.advance(2_000);
  t.not(spare.copyOf(Uint8Array.of(1, 2, 3)), one);
  t.equal(clock.waiting, 0);
});
