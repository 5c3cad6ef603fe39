import { KEYS, type Key, LOCK_KEYS, type Modifier } from '@runcloud/protocol/terms';
import type { InputBackend } from '../../../../server/drivers/android/input-backend.ts';
import type { GuestPhone } from '../../../support/android/guest-phone.ts';
import { KEY_OF_NUMBER, MODIFIER_OF_NUMBER } from '../../../support/android/linux-keys.ts';

/** The number that a name has in the table of the tests. */
const numberOf = (table: ReadonlyMap<number, string>, name: string) =>
  String([...table].find(([, other]) => other === name)?.[0]);

const { signal } = new AbortController();

/** Presses every key of Android with these sets of modifiers; tells which did not arrive as they are documented. */
export async function wrongKeys(
  guest: GuestPhone,
  backend: InputBackend,
  chordsOf: (key: Key) => readonly (readonly Modifier[])[],
): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const key of KEYS) {
    if (LOCK_KEYS.includes(key)) continue;
    for (const modifiers of chordsOf(key)) {
      guest.keys.length = 0;
      await backend.pressKey(key, modifiers, 0, signal);
      const codes = [
        ...modifiers.map((modifier) => numberOf(MODIFIER_OF_NUMBER, modifier)),
        numberOf(KEY_OF_NUMBER, key),
      ];
      const expected = [...codes.map((code) => `${code} down`), ...[...codes].reverse().map((code) => `${code} up`)];
      const got = guest.keys.map(({ name, way }) => `${name} ${way}`);
      if (got.join() !== expected.join()) wrong.push(`${[...modifiers, key].join('+')}: ${got.join()}`);
    }
  }
  return wrong;
}
