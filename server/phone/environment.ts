import type { Orientation, Platform, RenderOption } from '@runcloud/protocol';
import type { Size } from './geometry.ts';
import type { Theme } from './theme.ts';

export type OverlayName = 'powerMenu' | 'assistant' | 'menu';

/** Shift of the software keyboard: `once` for one letter, `locked` until it is tapped again. */
export type Shift = 'off' | 'once' | 'locked';

/** The state of the whole phone. The system writes it, apps only read it. */
export interface PhoneState {
  orientation: Orientation;
  /** Name of the active display; `undefined` on a phone with one. */
  display: string | undefined;
  /** Size of the picture in its orientation, in pixels. */
  size: Size;
  screenOn: boolean;
  /** An app's id, `home` or `switcher`. */
  foreground: string;
  overlay: OverlayName | undefined;
  keyboardShown: boolean;
  /** From 0 to 16. */
  volume: number;
  silent: boolean;
  memoryWarnings: number;
  shift: Shift;
  capsLock: boolean;
  /** True while a shift key of a hardware keyboard is held. */
  shiftHeld: boolean;
  readonly renderOptions: Set<RenderOption>;
}

/** Folds and unfolds the phone, which changes its active display. */
export interface Hinge {
  readonly folded: boolean;
  fold(folded: boolean): void;
}

/** The interface of the phone for its apps and the parts of its system. */
export interface Environment {
  readonly platform: Platform;
  readonly theme: Theme;
  readonly state: Readonly<PhoneState>;
  readonly clipboard: { text: string };
  /** Absent on a phone that does not fold. */
  readonly hinge?: Hinge | undefined;
  /** Names of the model and the system, for Settings. */
  readonly about: { readonly model: string; readonly system: string };
  nowMs(): number;
  wallMs(): number;
  /** Time for animations: the phone's own, slowed down under `slowAnimations`. */
  animationMs(): number;
  random(): number;
  /** Reports that the next picture may differ. */
  changed(): void;
  log(type: string, detail?: unknown): void;
  showKeyboard(shown: boolean): void;
  setRenderOption(option: RenderOption, enabled: boolean): void;
}

/** The text of the wall clock, `9:41` on iOS and `09:41` on Android, in UTC so that every host shows the same. */
export function clockText(wallMs: number, platform: Platform): string {
  const at = new Date(wallMs);
  const hours = String(at.getUTCHours());
  return `${platform === 'ios' ? hours : hours.padStart(2, '0')}:${String(at.getUTCMinutes()).padStart(2, '0')}`;
}
