import type { Key, Modifier } from '../../client/sdk/types.ts';

/** Keys without a character (W3C WebDriver, section 17.4.2), by their code points. */
const KEYS: Readonly<Record<string, Key>> = {
  '\uE002': 'f1',
  '\uE003': 'backspace',
  '\uE004': 'tab',
  '\uE006': 'enter',
  '\uE007': 'enter',
  '\uE00B': 'pause',
  '\uE00C': 'escape',
  '\uE00D': 'space',
  '\uE00E': 'pageUp',
  '\uE00F': 'pageDown',
  '\uE010': 'end',
  '\uE011': 'home',
  '\uE012': 'arrowLeft',
  '\uE013': 'arrowUp',
  '\uE014': 'arrowRight',
  '\uE015': 'arrowDown',
  '\uE016': 'insert',
  '\uE017': 'delete',
  '\b': 'backspace',
  '\n': 'enter',
  '\r': 'enter',
  '\t': 'tab',
  '\u001B': 'escape',
};

const MODIFIERS: Readonly<Record<string, Modifier>> = {
  '\uE008': 'shift',
  '\uE050': 'shift',
  '\uE009': 'control',
  '\uE051': 'control',
  '\uE00A': 'alt',
  '\uE052': 'alt',
  '\uE03D': 'meta',
  '\uE053': 'meta',
};

export const modifierOf = (value: string): Modifier | undefined => MODIFIERS[value];
export const keyOf = (value: string): Key | undefined => KEYS[value];
/** What ends all modifiers (section 17.4.2). */
export const NULL_KEY = '\uE000';
const PRIVATE = /^[\uE000-\uF8FF]$/u;
/** A code point of WebDriver for a key that phones do not have. */
export const isUnknownKey = (value: string): boolean => PRIVATE.test(value) && value !== NULL_KEY;
