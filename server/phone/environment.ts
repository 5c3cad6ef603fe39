import type {
  Decision,
  DeviceLocation,
  Network,
  Orientation,
  Permission,
  Platform,
  RenderOption,
  RouteProgress,
} from '@runcloud/protocol';
import type { PhoneFiles } from './files.ts';
import type { Size } from './geometry.ts';
import type { NetworkLimits } from './network.ts';
import type { PhotoLibrary } from './photos.ts';
import type { Appearance, Theme } from './theme.ts';

/** Panels that a button opens. */
export type PanelName = 'powerMenu' | 'assistant' | 'menu';

/** What is pulled from the top of the picture; Android has both in one. */
export type ShadeName = 'notifications' | 'controlCentre';

export type OverlayName = PanelName | ShadeName;

/** A notification. */
export interface Notice {
  readonly title: string;
  readonly text: string;
  readonly wallMs: number;
  /** The app that it is for, which a tap opens; absent where the system tells something. */
  readonly app?: string;
}

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
  /** True while the lock screen covers whatever is in front. */
  locked: boolean;
  /** An app's id, `home` or `switcher`. */
  foreground: string;
  overlay: OverlayName | undefined;
  keyboardShown: boolean;
  /** From 0 to 16. */
  volume: number;
  silent: boolean;
  memoryWarnings: number;
  /** Newest first. */
  notices: readonly Notice[];
  shift: Shift;
  capsLock: boolean;
  /** True while a shift key of a hardware keyboard is held. */
  shiftHeld: boolean;
  readonly renderOptions: Set<RenderOption>;
  /** Without animations everything is at its end at once. */
  animations: boolean;
  appearance: Appearance;
  /** Language and region of its dates, as BCP 47 has them. */
  locale: string;
  /** Multiple of the usual size of text. */
  textScale: number;
  /** Without one, pages cannot be reached. */
  network: Network;
  networkLimits: NetworkLimits;
  /** Where the phone is; a new one does not know. */
  location: DeviceLocation | undefined;
  /** What apps may use and may not; they have not asked for what is not here. */
  permissions: readonly Decision[];
  /** What moves it, or has moved it. */
  route: RouteProgress | undefined;
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
  readonly photos: PhotoLibrary;
  readonly files: PhoneFiles;
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
  log(type: string, detail?: unknown, atMs?: number): void;
  showKeyboard(shown: boolean): void;
  setRenderOption(option: RenderOption, enabled: boolean): void;
  setAnimations(enabled: boolean): void;
  setAppearance(appearance: Appearance): void;
  /** Asks the user whether an app may use something, unless that is decided. */
  askPermission(app: string, permission: Permission): void;
}

/** The text of the wall clock, `9:41` on iOS and `09:41` on Android, in UTC so that every host shows the same. */
export function clockText(wallMs: number, platform: Platform): string {
  const at = new Date(wallMs);
  const hours = String(at.getUTCHours());
  return `${platform === 'ios' ? hours : hours.padStart(2, '0')}:${String(at.getUTCMinutes()).padStart(2, '0')}`;
}
