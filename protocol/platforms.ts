/** Platforms and what each of them can do. */

export const PLATFORMS = ['ios', 'android'] as const;
export type Platform = (typeof PLATFORMS)[number];
/** For people to read. */
export const PLATFORM_NAMES = { ios: 'iOS', android: 'Android' } as const satisfies Record<Platform, string>;

export const ORIENTATIONS = ['portrait', 'portrait_upside_down', 'landscape_left', 'landscape_right'] as const;
export type Orientation = (typeof ORIENTATIONS)[number];

/** Each modifier means the key on the left side of the keyboard. */
export const MODIFIERS = ['shift', 'control', 'alt', 'meta'] as const;
export type Modifier = (typeof MODIFIERS)[number];

export const RENDER_OPTIONS = [
  'colorBlendedLayers',
  'colorCopiedImages',
  'colorMisalignedImages',
  'colorOffscreenRendered',
  'slowAnimations',
] as const;
export type RenderOption = (typeof RENDER_OPTIONS)[number];

export const BUTTONS = [
  'home',
  'back',
  'appSwitcher',
  'recents',
  'power',
  'volumeUp',
  'volumeDown',
  'menu',
  'sideButton',
  'actionButton',
  'digitalCrown',
] as const;
export type Button = (typeof BUTTONS)[number];

/** Controls of one platform that not every platform has. */
export interface Capabilities {
  readonly orientations: readonly Orientation[];
  readonly buttons: readonly Button[];
  /** Buttons that are always pressed for a moment, whatever hold was asked for. */
  readonly momentaryButtons: readonly Button[];
  readonly lockKeys: boolean;
  readonly renderOptions: readonly RenderOption[];
}

/**
 * The values that one device takes in its actions: at most those of its platform, and fewer
 * where its driver has no reliable way.
 */
export interface Controls {
  readonly orientations: readonly Orientation[];
  readonly buttons: readonly Button[];
  readonly renderOptions: readonly RenderOption[];
  readonly lockKeys: boolean;
  /** True when a key or a button can be held; otherwise only the shortest press is possible. */
  readonly holds: boolean;
  /** Keys can be pressed together with modifiers. */
  readonly modifiers: boolean;
  /** How many fingers can touch at the same time. */
  readonly fingers: 1 | 2;
  /** A finger can follow points that are not known ahead: gestures of several steps and live pointers. */
  readonly freeGestures: boolean;
  readonly openUrl: boolean;
  /** The text in its clipboard can be read and written. */
  readonly clipboard: boolean;
  /** It tells what is on its screen. */
  readonly ui?: true;
  /** Its state can be kept, and a session started from it. */
  readonly snapshots?: true;
  /** Pictures can be added to its photo library. */
  readonly media?: true;
  /** Files can be copied to it and from it. */
  readonly files?: true;
  /** Its log can be read. */
  readonly logs?: true;
}

export const CAPABILITIES: Readonly<Record<Platform, Capabilities>> = {
  ios: {
    orientations: ['portrait', 'landscape_left', 'landscape_right'],
    buttons: ['home', 'appSwitcher', 'recents', 'power', 'volumeUp', 'volumeDown', 'sideButton', 'actionButton'],
    momentaryButtons: ['home', 'appSwitcher', 'recents'],
    lockKeys: true,
    renderOptions: RENDER_OPTIONS,
  },
  android: {
    orientations: ORIENTATIONS,
    buttons: ['home', 'back', 'appSwitcher', 'recents', 'power', 'volumeUp', 'volumeDown', 'menu'],
    momentaryButtons: [],
    lockKeys: false,
    renderOptions: [],
  },
};

/** Everything that a platform offers. */
export function platformControls(platform: Platform): Controls {
  const { orientations, buttons, renderOptions, lockKeys } = CAPABILITIES[platform];
  return {
    orientations,
    buttons,
    renderOptions,
    lockKeys,
    holds: true,
    modifiers: true,
    fingers: 2,
    freeGestures: true,
    openUrl: true,
    clipboard: true,
  };
}
