import type { Image } from '@napi-rs/canvas';
import type { Button, Key, Modifier } from '@runcloud/protocol';
import type { AppPackage } from '../../device/app-package.ts';
import type { Colour } from '../draw/colour.ts';
import type { Scene } from '../draw/scene.ts';
import type { Environment } from '../environment.ts';
import type { Pixel, Size } from '../geometry.ts';
import type { SavedApp } from '../saved-state.ts';

export type TouchPhase = 'begin' | 'move' | 'end' | 'cancel';

/** One step of a touch, in pixels of the receiver's own area. Only the first step always lies inside the area. */
export interface TouchEvent {
  readonly phase: TouchPhase;
  readonly points: readonly Pixel[];
  readonly atMs: number;
}

export interface KeyEvent {
  readonly key: Key;
  readonly modifiers: readonly Modifier[];
}

/** A page of text that an app keeps while it runs, as a file. */
export interface AppDocument {
  readonly name: string;
  read(): string;
  /** Throws a `DeviceFault` where there is no room for it. */
  write(text: string): void;
}

/**
 * A running app. Input changes its model at once, and the app reports the change to the environment. `paint` is a pure
 * function of the model and the animation time, so a picture does not depend on when earlier pictures were taken.
 */
export interface App {
  readonly id: string;
  /** Also fills the area behind the system's bars. */
  readonly background: Colour;
  /** True when the bars of the system are hidden and every pixel belongs to the app. */
  readonly immersive: boolean;
  /** Called before the first touch and whenever the app's area changes its size. */
  resize(size: Size): void;
  touch(event: TouchEvent): void;
  /** @param seen the part of its area in sight, which is larger than its size while the keyboard is on its way in */
  paint(scene: Scene, animationMs: number, seen: Size): void;
  /** Draws above everything else, in pixels of the whole picture. */
  paintOverlay?(scene: Scene): void;
  animating(animationMs: number): boolean;
  inspect(): Readonly<Record<string, unknown>>;
  /** The app came to the front. */
  activate?(): void;
  /** Something else came to the front. */
  deactivate?(): void;
  /** Types text, whose line feeds are the enter key; `false` if nothing has the focus. */
  typeText?(text: string): boolean;
  /** Inserts text of any language, all of it or none; `false` if nothing has the focus. Throws a `DeviceFault`. */
  insertText?(text: string): boolean;
  /** True if the next letter from the software keyboard should be a capital. */
  beginsSentence?(): boolean;
  keyDown?(event: KeyEvent): void;
  keyUp?(event: KeyEvent, heldMs: number): void;
  button?(button: Button, heldMs: number): void;
  /** Scrolls by pixels; positive values towards the end. */
  scroll?(deltaX: number, deltaY: number): void;
  /** One step back within the app; `false` when there is none. */
  back?(): boolean;
  memoryWarning?(): void;
  /** What it may use has changed. */
  permissionsChanged?(): void;
  /** The app was started with these arguments, by name. It crashes by throwing an error. */
  startedWith?(given: Readonly<Record<string, string>>): void;
  /** The app came to the front to open this URL; apps only display it. */
  openUrl?(url: string): void;
  readonly document?: AppDocument;
  /** Somebody has shown a face or finger; `false` where the app does not ask for one. */
  biometric?(match: boolean): boolean;
  /** The user has opened it from a notification of its own. */
  notificationOpened?(): void;
  /** Its state at rest, as `saved-state.ts` describes it. */
  save(): SavedApp;
  /** Takes over a state that `save` of such an app has given; called after `resize`. */
  restore(saved: SavedApp): void;
}

/** An installed app, from which the home screen starts an `App`. */
export interface AppDefinition {
  readonly id: string;
  readonly name: string;
  /** True when the icon sits in the row at the bottom of the home screen. */
  readonly docked: boolean;
  /** The app's package; absent for built-in apps. */
  readonly package?: AppPackage;
  /** The decoded icon of its package. */
  readonly icon?: Image;
  create(environment: Environment): App;
}
