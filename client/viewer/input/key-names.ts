import type { Key, Modifier } from '@runcloud/protocol';
import { KEY_TEXT, KEYS } from '../protocol.ts';

/** The fields of a keyboard event that determine which key the device gets. */
export interface KeyStroke {
  readonly key: string;
  readonly code: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
  getModifierState(name: string): boolean;
}

export interface DeviceKey {
  readonly key: Key;
  readonly modifiers: Modifier[];
}

const BY_NAME: ReadonlyMap<string, Key> = new Map(KEYS.map((key) => [key, key]));

/** Which key of a US keyboard types a character, and whether with shift. */
const BY_CHARACTER: ReadonlyMap<string, { readonly key: Key; readonly shift: boolean }> = byCharacter();

function byCharacter(): Map<string, { readonly key: Key; readonly shift: boolean }> {
  const found = new Map<string, { readonly key: Key; readonly shift: boolean }>();
  for (const [key, [plain, shifted]] of KEY_TEXT) {
    if (key.startsWith('numpad') || key === 'tab' || key === 'enter') continue;
    found.set(shifted, { key, shift: true });
    found.set(plain, { key, shift: false });
  }
  return found;
}

/** Codes of the browser that are not the protocol's name with a capital letter. */
const OTHER_CODES: Readonly<Record<string, string>> = { IntlBackslash: 'backslash', NumpadEqual: 'equal' };

/** The protocol's name of a physical key; `undefined` if it has none. */
export function keyOfCode(code: string): Key | undefined {
  const short = /^(?:Key|Digit)(.)$/.exec(code)?.[1] ?? OTHER_CODES[code] ?? code;
  const name = short.charAt(0).toLowerCase() + short.slice(1);
  return BY_NAME.get(name);
}

/**
 * The key that the device is to get. A character goes by what it is, so that a German keyboard's Z types a z although
 * it lies where the US keyboard has its Y; everything else goes by its place. `undefined`: the device has no such key.
 */
export function deviceKey(stroke: KeyStroke): DeviceKey | undefined {
  const { code, key } = stroke;
  // Alt Graph chooses a character; Windows reports it as Control and Alt, which the device must not see.
  const graph = stroke.getModifierState('AltGraph');
  const character = code.startsWith('Numpad') ? undefined : BY_CHARACTER.get(key);
  const name = character?.key ?? (isForeign(stroke) ? undefined : keyOfCode(code));
  if (name === undefined) return undefined;
  const modifiers: Modifier[] = [];
  if (character ? character.shift : stroke.shiftKey) modifiers.push('shift');
  if (stroke.ctrlKey && !graph) modifiers.push('control');
  if (stroke.altKey && !graph) modifiers.push('alt');
  if (stroke.metaKey) modifiers.push('meta');
  return { key: name, modifiers };
}

/** A character that no US keyboard has; with a modifier it is a shortcut, which goes by its place. */
function isForeign({ key, altKey, ctrlKey, metaKey }: KeyStroke): boolean {
  return /^[^\x20-\x7e]$/u.test(key) && !altKey && !ctrlKey && !metaKey;
}
