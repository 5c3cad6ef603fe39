import type { Orientation, Platform } from '@runcloud/protocol';
import type { AppDefinition } from './apps/app.ts';
import type { PhoneClock } from './clock.ts';
import type { Size } from './geometry.ts';

/** A display of a phone that has two, with its size in portrait. */
export interface PhoneDisplay extends Size {
  readonly name: string;
}

export interface PhoneOptions {
  readonly platform: Platform;
  /** Name of the model that Settings shows; default: the platform's phone. */
  readonly model?: string;
  /** Size of the display in portrait, in pixels; of a phone that folds, of the display that it has unfolded. */
  readonly width: number;
  readonly height: number;
  /** Of a phone that folds: the display that it has unfolded, then the one that it has folded. */
  readonly displays?: readonly PhoneDisplay[];
  /** Pixels per point (iOS) or density-independent pixel (Android). */
  readonly scale: number;
  readonly orientation?: Orientation;
  /** Apps besides those that every phone has. */
  readonly apps?: readonly AppDefinition[];
  readonly clock?: PhoneClock;
  /** The only source of randomness for apps, so that tests can fix it. */
  readonly random?: () => number;
}
