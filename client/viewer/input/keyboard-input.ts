import { CAPABILITIES, LOCK_KEYS } from '../protocol.ts';
import type { Viewer } from '../viewer.ts';
import { type DeviceKey, deviceKey } from './key-names.ts';

export interface KeyboardOptions {
  readonly viewer: Viewer;
  /** Keys go to the device while this has the focus. */
  readonly surface: HTMLElement;
  /** The person wants the focus back for the page. */
  readonly leave: () => void;
  readonly refuse: (sentence: string) => void;
}

/** A key is down on the device for this long: short, since keys wait for each other in the session's queue. */
const PRESS_MS = 20;

/**
 * The physical keyboard. Each stroke is sent when the key goes down, and again as the keyboard repeats it, one repeat
 * at a time. Shift+Escape leaves; Control or Command with V pastes, by the page's `paste` event.
 */
export function takeKeys({ viewer, surface, leave, refuse }: KeyboardOptions): void {
  let repeating = false;

  const press = async ({ key, modifiers }: DeviceKey, repeated: boolean): Promise<void> => {
    if (repeated && repeating) return;
    repeating = repeated;
    await viewer.interact({ action: 'pressKey', key, modifiers, durationMs: PRESS_MS });
    if (repeated) repeating = false;
  };

  const take = (event: KeyboardEvent): void => {
    const key = deviceKey(event);
    if (!key) {
      if (event.key.length === 1) refuse(`The device's keyboard has no “${event.key}”.`);
      return;
    }
    const { platform } = viewer;
    if (LOCK_KEYS.includes(key.key) && platform && !CAPABILITIES[platform].lockKeys) {
      refuse(`This device has no ${event.key} key.`);
    } else {
      void press(key, event.repeat);
    }
  };

  surface.addEventListener('keydown', (event) => {
    if (event.isComposing || viewer.role !== 'control') return;
    if (event.key === 'Escape' && event.shiftKey) {
      event.preventDefault();
      leave();
      return;
    }
    // The browser turns this into `paste`, unless it is prevented.
    if (event.code === 'KeyV' && (event.ctrlKey || event.metaKey) && !event.altKey) return;
    if (['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'Dead', 'Process', 'Unidentified'].includes(event.key)) return;
    event.preventDefault();
    if (viewer.state.kind === 'connected') take(event);
  });
  surface.addEventListener('keyup', (event) => {
    // Some systems tell of this key only when it is let go.
    if (event.code === 'PrintScreen' && viewer.role === 'control') take(event);
  });
}
