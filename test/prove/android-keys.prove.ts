import { MODIFIERS } from '@runcloud/protocol/terms';
import t from 'tap';
import { wrongKeys } from '../device/android/control/every-key.ts';
import { openHand } from '../support/android/opened-hand.ts';

const CHORDS = Array.from({ length: 2 ** MODIFIERS.length }, (_, bits) =>
  MODIFIERS.filter((_, index) => bits & (1 << index)),
);

for (const old of [false, true]) {
  const kind = old ? 'one by one' : 'by the open call';
  t.test(`${kind}: every key arrives as its code with every set of modifiers`, async (t) => {
    const { guest, hand } = await openHand(t, { old });
    let presses = 0;
    const wrong = await wrongKeys(guest, hand, () => {
      presses += CHORDS.length;
      return CHORDS;
    });
    t.comment(`${presses} presses`);
    t.same(wrong, []);
    t.same(guest.violations, []);
  });
}
