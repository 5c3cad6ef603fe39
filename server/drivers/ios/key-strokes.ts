import { KEY_TEXT, type Key } from '@runcloud/protocol/terms';
import { keyUsage, modifierUsage } from './hid-usage.ts';

/** One key of a US keyboard, pressed alone or with shift. */
export interface KeyStroke {
  readonly usage: number;
  readonly shift: boolean;
}

export const SHIFT_USAGE = modifierUsage('shift');

const isOnNumberPad = (key: Key): boolean => key.startsWith('numpad');

/** By what they type; the number pad is left out, as what it types hangs on Num Lock. */
const STROKES: ReadonlyMap<string, KeyStroke> = new Map(
  [...KEY_TEXT]
    .filter(([key]) => !isOnNumberPad(key))
    .flatMap(([key, [plain, shifted]]) => {
      const usage = keyUsage(key);
      const alone: [string, KeyStroke] = [plain, { usage, shift: false }];
      return plain === shifted ? [alone] : [alone, [shifted, { usage, shift: true }] as [string, KeyStroke]];
    }),
);

/** The keys that type a text of US ASCII, in its order; throws for a character that no key types. */
export function keyStrokes(text: string): KeyStroke[] {
  return [...text].map((character) => {
    const stroke = STROKES.get(character);
    if (!stroke) throw new RangeError('no key of a US keyboard types this character');
    return stroke;
  });
}
