import { MODIFIERS } from '@runcloud/protocol/terms';
import t from 'tap';
import { wrongKeys } from '../drivers/android/control/every-key.ts';
import { openBackend } from '../support/android/opened-backend.ts';

const CHORDS = Array.from({ length: 2 ** MODIFIERS.length }, (_, bits) =>
  MODIFIERS.filter((_, index) => bits & (1 << index)),
);

for (const old of [false, true]) {
  const kind = old ? 'one by one' : 'by the open call';
  t.test(`${kind}: every key arrives as its code with every set of modifiers`, async (t) => {
    const { guest, backend } = await openBackend(t, { old });
    let presses = 0;
    const wrong = await wrongKeys(guest, backend, () => {
      presses += CHORDS.length;
      return CHORDS;
    });
    t.comment(`${presses} presses`);
    t.same(wrong, []);
    t.same(guest.violations, []);
  });
}
