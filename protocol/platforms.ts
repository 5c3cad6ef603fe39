/** Platforms and what each of them can do: the capability matrix of the specification, section 2.8. */

export const PLATFORMS = ['ios', 'android'] as const;
export type Platform = (typeof PLATFORMS)[number];

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

/** What one platform offers of the controls that not every platform has. */
export interface Capabilities {
  readonly orientations: readonly Orientation[];
  readonly buttons: readonly Button[];
  /** Buttons that are always pressed for a moment, whatever hold was asked for. */
  readonly momentaryButtons: readonly Button[];
  readonly lockKeys: boolean;
  readonly renderOptions: readonly RenderOption[];
  readonly digitalCrown: boolean;
}

export const CAPABILITIES: Readonly<Record<Platform, Capabilities>> = {
  ios: {
    orientations: ['portrait', 'landscape_left', 'landscape_right'],
    buttons: ['home', 'appSwitcher', 'recents', 'power', 'volumeUp', 'volumeDown', 'sideButton', 'actionButton'],
    momentaryButtons: ['home', 'appSwitcher', 'recents'],
    lockKeys: true,
    renderOptions: RENDER_OPTIONS,
    digitalCrown: false,
  },
  android: {
    orientations: ORIENTATIONS,
    buttons: ['home', 'back', 'appSwitcher', 'recents', 'power', 'volumeUp', 'volumeDown', 'menu'],
    momentaryButtons: [],
    lockKeys: false,
    renderOptions: [],
    digitalCrown: false,
  },
};
