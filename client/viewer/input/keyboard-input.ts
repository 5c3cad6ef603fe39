import { CAPABILITIES, LOCK_KEYS } from '../protocol.ts';
import type { Viewer } from '../viewer.ts';
import { type DeviceKey, deviceKey } from './key-names.ts';

export interface KeyboardOptions {
  readonly viewer: Viewer;
  /** Keys go to the device while this has the focus. */
  readonly field: HTMLTextAreaElement;
  /** The person wants the focus back for the page. */
  readonly leave: () => void;
  readonly refuse: (sentence: string) => void;
  /** A key that did not reach the device, with the character that it types, if any. */
  readonly lost: (character: string, reason: string) => void;
}

/** A key is down on the device for this long: short, since keys wait for each other in the session's queue. */
const PRESS_MS = 20;

/** The key events of input methods; what they make comes as text. */
const PROCESSED_KEY_CODE = 229;

/**
 * The physical keyboard. Each stroke is sent when the key goes down, and again as the keyboard repeats it, one repeat
 * at a time. A character that a US keyboard lacks is left to the field, which takes it as text. Shift+Escape leaves; Control
 * or Command with V pastes, by the page's `paste` event.
 */
export function takeKeys({ viewer, field, leave, refuse, lost }: KeyboardOptions): void {
  let repeating = false;

  const press = async ({ key, modifiers }: DeviceKey, character: string, repeated: boolean): Promise<void> => {
    if (repeated && repeating) return;
    repeating = repeated;
    const { error } = await viewer.act({ action: 'pressKey', key, modifiers, durationMs: PRESS_MS });
    if (repeated) repeating = false;
    if (error) lost(character, error.message);
  };

  const take = (event: KeyboardEvent): void => {
    const key = deviceKey(event);
    if (!key) return;
    event.preventDefault();
    const { platform } = viewer;
    if (LOCK_KEYS.includes(key.key) && platform && !CAPABILITIES[platform].lockKeys) {
      refuse(`This device has no ${event.key} key.`);
    } else {
      void press(key, characterOf(event, key), event.repeat);
    }
  };

  field.addEventListener('keydown', (event) => {
    if (event.isComposing || event.keyCode === PROCESSED_KEY_CODE || viewer.role !== 'control') return;
    if (event.key === 'Escape' && event.shiftKey) {
      event.preventDefault();
      leave();
      return;
    }
    // The browser turns this into `paste`, unless it is prevented.
    if (event.code === 'KeyV' && (event.ctrlKey || event.metaKey) && !event.altKey) return;
    if (['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'Dead', 'Process', 'Unidentified'].includes(event.key)) return;
    take(event);
  });
  field.addEventListener('keyup', (event) => {
    // Some systems tell of this key only when it is let go.
    if (event.code === 'PrintScreen' && viewer.role === 'control') take(event);
  });
}

/** The text that a stroke types: none for a shortcut, or for a key that moves or deletes. */
function characterOf(event: KeyboardEvent, { modifiers }: DeviceKey): string {
  if (modifiers.some((modifier) => modifier !== 'shift')) return '';
  return event.key === 'Enter' ? '\n' : event.key.length === 1 ? event.key : '';
}
