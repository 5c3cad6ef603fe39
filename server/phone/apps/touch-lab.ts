import type { Button } from '@runcloud/protocol';
import { colour } from '../draw/colour.ts';
import type { Scene } from '../draw/scene.ts';
import type { Environment } from '../environment.ts';
import { distance, type Pixel, type Size } from '../geometry.ts';
import type { SavedTouchLab } from '../saved-state.ts';
import type { App, AppDefinition, KeyEvent, TouchEvent } from './app.ts';
import { classify, type Gesture } from './gesture.ts';
import { type HeldButton, type HeldKey, LAB_BACKGROUND, paintLab } from './touch-lab-view.ts';
import { Trail } from './trail.ts';

const TOUCHES_MAX = 2000;
/** UTF-16 units: the longest text that can be inserted. */
const TEXT_MAX = 20_000;

interface Track {
  readonly from: Pixel;
  to: Pixel;
  reach: number;
}

/** Shows and records every touch, key and button, so that tests can verify that an input arrived unchanged. */
class TouchLab implements App {
  readonly id = 'touch-lab';
  readonly background = LAB_BACKGROUND;
  readonly immersive = true;
  readonly #environment: Environment;
  readonly #trails: readonly Trail[];
  readonly #touches: { readonly phase: string; readonly points: readonly Pixel[] }[] = [];
  #size: Size = { width: 1, height: 1 };
  #tracks: Track[] = [];
  #downAtMs: number | undefined;
  #pointers: readonly Pixel[] = [];
  #pointerCountMax = 0;
  #taps = 0;
  #lastTouch: Pixel | undefined;
  #lastGesture: Gesture | undefined;
  #lastKey: HeldKey | undefined;
  #lastButton: HeldButton | undefined;
  #text = '';

  constructor(environment: Environment) {
    this.#environment = environment;
    const { px } = environment.theme;
    this.#trails = [0, 1].map((index) => new Trail(index, px(5), px(26)));
  }

  resize(size: Size): void {
    if (size.width !== this.#size.width) {
      // Touches from before the rotation lie elsewhere now.
      for (const trail of this.#trails) trail.clear();
      this.#lastTouch = undefined;
    }
    this.#size = size;
  }

  touch({ phase, points, atMs }: TouchEvent): void {
    this.#touches.push({ phase, points });
    if (this.#touches.length > TOUCHES_MAX * 2) this.#touches.splice(0, TOUCHES_MAX);
    if (phase === 'begin' && this.#downAtMs === undefined) this.#start(atMs);
    points.forEach((at, index) => {
      this.#follow(index, at);
    });
    this.#pointers = phase === 'end' || phase === 'cancel' ? [] : points;
    this.#pointerCountMax = Math.max(this.#pointerCountMax, points.length);
    if (phase === 'end') this.#finish(atMs);
    if (phase === 'cancel') this.#downAtMs = undefined;
    this.#environment.changed();
  }

  #start(atMs: number): void {
    this.#downAtMs = atMs;
    this.#tracks = [];
    for (const trail of this.#trails) trail.clear();
  }

  #follow(index: number, at: Pixel): void {
    const track = this.#tracks[index];
    if (track) {
      track.to = at;
      track.reach = Math.max(track.reach, distance(track.from, at));
    } else {
      this.#tracks[index] = { from: at, to: at, reach: 0 };
    }
    this.#trails[index]?.add(at);
    if (index === 0) this.#lastTouch = at;
  }

  #finish(atMs: number): void {
    if (this.#downAtMs === undefined) return;
    const slop = this.#environment.theme.px(10);
    this.#lastGesture = classify(this.#tracks, atMs - this.#downAtMs, slop) ?? this.#lastGesture;
    if (this.#lastGesture?.kind === 'tap') this.#taps++;
    this.#downAtMs = undefined;
  }

  /** `crash` ends it with this reason. */
  startedWith({ crash }: Readonly<Record<string, string>>): void {
    if (crash !== undefined) throw new Error(crash);
  }

  typeText(text: string): boolean {
    this.#text = (this.#text + text).slice(-TEXT_MAX);
    return true;
  }

  insertText(text: string): boolean {
    return this.typeText(text);
  }

  keyDown({ key, modifiers }: KeyEvent): void {
    this.#lastKey = { key, modifiers, heldMs: undefined };
  }

  keyUp({ key, modifiers }: KeyEvent, heldMs: number): void {
    this.#lastKey = { key, modifiers, heldMs: Math.round(heldMs) };
  }

  button(button: Button, heldMs: number): void {
    this.#lastButton = { button, heldMs: Math.round(heldMs) };
  }

  animating(): boolean {
    return false;
  }

  paint(scene: Scene): void {
    paintLab(scene, this.#size, this.#environment.theme, {
      lastTouch: this.#lastTouch,
      pointerCount: this.#pointers.length,
      taps: this.#taps,
      gesture: this.#lastGesture,
      key: this.#lastKey,
      button: this.#lastButton,
      text: this.#text,
    });
    if (this.#lastTouch) {
      const guide = colour(0xffffff, 0.14);
      scene.rect({ x: this.#lastTouch.x, y: 0, width: 1, height: this.#size.height }, guide);
      scene.rect({ x: 0, y: this.#lastTouch.y, width: this.#size.width, height: 1 }, guide);
    }
    for (const trail of this.#trails) trail.paint(scene);
  }

  paintOverlay(scene: Scene): void {
    for (const trail of this.#trails) trail.paintMarkers(scene);
  }

  save(): SavedTouchLab {
    return {
      trails: this.#trails.map((trail) => trail.save()),
      pointerCountMax: this.#pointerCountMax,
      taps: this.#taps,
      ...(this.#lastTouch ? { lastTouch: this.#lastTouch } : {}),
      ...(this.#lastGesture ? { lastGesture: this.#lastGesture } : {}),
      ...(this.#lastKey ? { lastKey: keptKey(this.#lastKey) } : {}),
      ...(this.#lastButton ? { lastButton: this.#lastButton } : {}),
      text: this.#text,
    };
  }

  restore({ trails, pointerCountMax, taps, lastTouch, lastGesture, lastKey, lastButton, text }: SavedTouchLab): void {
    for (const [index, trail] of this.#trails.entries()) trail.restore(trails[index] ?? []);
    this.#pointerCountMax = pointerCountMax;
    this.#taps = taps;
    this.#lastTouch = lastTouch;
    this.#lastGesture = lastGesture;
    this.#lastKey = lastKey && { ...lastKey, heldMs: lastKey.heldMs };
    this.#lastButton = lastButton;
    this.#text = text;
  }

  inspect(): Readonly<Record<string, unknown>> {
    return {
      pointers: this.#pointers,
      pointerCountMax: this.#pointerCountMax,
      lastGesture: this.#lastGesture,
      taps: this.#taps,
      lastTouch: this.#lastTouch,
      touches: this.#touches.slice(-TOUCHES_MAX),
      lastKey: this.#lastKey,
      lastButton: this.#lastButton,
      text: this.#text,
    };
  }
}

const keptKey = ({ key, modifiers, heldMs }: HeldKey) => ({
  key,
  modifiers: [...modifiers],
  ...(heldMs === undefined ? {} : { heldMs }),
});

export const touchLab: AppDefinition = {
  id: 'touch-lab',
  name: 'Touch Lab',
  docked: true,
  create: (environment) => new TouchLab(environment),
};
