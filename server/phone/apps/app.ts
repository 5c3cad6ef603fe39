import type { Image } from '@napi-rs/canvas';
import type { Button, Key, Modifier } from '@runcloud/protocol';
import type { AppPackage } from '../../device/app-package.ts';
import type { Colour } from '../draw/colour.ts';
import type { Scene } from '../draw/scene.ts';
import type { Environment } from '../environment.ts';
import type { Pixel, Size } from '../geometry.ts';

export type TouchPhase = 'begin' | 'move' | 'end' | 'cancel';

/** One step of a touch, in pixels of the receiver's own area; may lie outside of it after the beginning. */
export interface TouchEvent {
  readonly phase: TouchPhase;
  readonly points: readonly Pixel[];
  readonly atMs: number;
}

export interface KeyEvent {
  readonly key: Key;
  readonly modifiers: readonly Modifier[];
}

/**
 * One app while it runs. It changes its own model at once and says so to the environment; `paint` is a pure function
 * of the model and of the animation time, so that a picture does not depend on when pictures were taken before.
 */
export interface App {
  readonly id: string;
  /** Shows behind the bars of the system as well. */
  readonly background: Colour;
  /** True when the bars of the system are hidden and every pixel belongs to the app. */
  readonly immersive: boolean;
  /** Called before the first touch and whenever the room for the app changes. */
  resize(size: Size): void;
  touch(event: TouchEvent): void;
  paint(scene: Scene, animationMs: number): void;
  /** Drawn above everything, in pixels of the picture. */
  paintOverlay?(scene: Scene): void;
  animating(animationMs: number): boolean;
  inspect(): Readonly<Record<string, unknown>>;
  /** The app came to the front. */
  activate?(): void;
  /** Something else came to the front. */
  deactivate?(): void;
  /** Takes text that was typed; `false` when nothing has the focus. */
  typeText?(text: string): boolean;
  keyDown?(event: KeyEvent): void;
  keyUp?(event: KeyEvent, heldMs: number): void;
  button?(button: Button, heldMs: number): void;
  /** Moves on by pixels; positive values go towards the end. */
  scroll?(deltaX: number, deltaY: number): void;
  /** One step back within the app; `false` when there is none. */
  back?(): boolean;
  memoryWarning?(): void;
  /** The app came to the front to open this address, which is text to it and nothing more. */
  openUrl?(url: string): void;
}

/** An app as the home screen knows it. */
export interface AppDefinition {
  readonly id: string;
  readonly name: string;
  /** True when the icon sits in the row at the bottom of the home screen. */
  readonly docked: boolean;
  /** The app's package; absent for built-in apps. */
  readonly package?: AppPackage;
  /** The picture from its package, decoded. */
  readonly icon?: Image;
  create(environment: Environment): App;
}
