import type { PhoneState } from './environment.ts';
import type { Size } from './geometry.ts';
import { USUAL_LOCALE } from './locale.ts';
import { NO_LIMITS } from './network.ts';

/** A phone as it comes out of its box. */
export function initialState(size: Size, display: string | undefined): PhoneState {
  return {
    orientation: 'portrait',
    display,
    size,
    screenOn: true,
    locked: false,
    foreground: 'home',
    overlay: undefined,
    keyboardShown: false,
    volume: 8,
    silent: false,
    memoryWarnings: 0,
    notices: [],
    shift: 'off',
    capsLock: false,
    shiftHeld: false,
    renderOptions: new Set(),
    animations: true,
    appearance: 'light',
    locale: USUAL_LOCALE,
    textScale: 1,
    network: 'online',
    networkLimits: NO_LIMITS,
    location: undefined,
    permissions: [],
    route: undefined,
  };
}
