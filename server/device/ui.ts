import type { Orientation, UiNode } from '@runcloud/protocol';

/** What is on a device's screen, as its source tells it: neither bounded nor numbered. */
export interface UiScreen {
  readonly screen: 'on' | 'off';
  /** Name of the foreground. */
  readonly app?: string;
  readonly orientation: Orientation;
  /** The active display; absent on devices with one. */
  readonly display?: string;
  /** The outermost elements, in the order in which they are drawn. */
  readonly nodes: readonly UiNode[];
  /** Fields that the source does not know of. */
  readonly missing?: readonly string[];
}

/** Elements inside each other that a source reads; apps have some twenty, and wrappers without a name go. What lies deeper is left out. */
export const UI_SOURCE_DEPTH_MAX = 200;

/** Tells what is on a device's screen. */
export interface DeviceUi {
  /** A read takes a good part of a second, or some seconds. */
  readonly isSlow?: boolean;
  /** A source that knows it at once answers at once, so that what is done next finds what was read. */
  read(signal: AbortSignal): UiScreen | Promise<UiScreen>;
}
