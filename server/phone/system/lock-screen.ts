import type { TouchEvent } from '../apps/app.ts';
import { symbol } from '../art/symbols.ts';
import { wallpaper } from '../art/wallpaper.ts';
import { colour } from '../draw/colour.ts';
import type { Scene } from '../draw/scene.ts';
import { clockText, type Environment } from '../environment.ts';
import { clamp } from '../geometry.ts';
import { Glide } from '../glide.ts';
import { dateWords } from '../locale.ts';
import { CLOCK, paintNavigationBar, paintStatusBar } from './bars.ts';
import type { Layout } from './layout.ts';

const LIFT_MS = 350;
const WAKE_MS = 250;
/** A finger that goes up by less, in points, lets the lock screen fall back. */
const UNLOCK_POINTS = 90;

const HINT = 'Swipe up to unlock';
const WHITE = colour(0xffffff);
const SHADE = colour(0x000000, 0.4);

/**
 * The first thing to be seen after the screen has been off. A swipe up takes it away; there is no code. The screen goes dark
 * at once and comes back within a moment.
 */
export class LockScreen {
  readonly #environment: Environment;
  readonly #unlock: () => void;
  /** From 0, where it covers the picture, to 1, where it is above it. */
  readonly #lift: Glide;
  /** From 0, which is dark, to 1. */
  readonly #light: Glide;
  /** Where the finger came down, and how far up it is since. */
  #drag: { readonly fromY: number; up: number } | undefined;

  /** @param unlock called when the user has swiped it away */
  constructor(environment: Environment, unlock: () => void) {
    this.#environment = environment;
    this.#unlock = unlock;
    this.#lift = new Glide(environment, LIFT_MS, 1);
    this.#light = new Glide(environment, WAKE_MS, 1);
  }

  /** Covers the picture, as the screen goes off. */
  fall(): void {
    this.#drag = undefined;
    this.#lift.jumpTo(0);
  }

  /** Covers the picture while the phone is locked, without a motion. */
  restore(): void {
    this.#drag = undefined;
    this.#lift.jumpTo(this.#environment.state.locked ? 0 : 1);
    this.#light.jumpTo(1);
  }

  /** The screen comes on. */
  wake(): void {
    this.#light.moveFrom(0, 1);
  }

  /** Goes up, from wherever the finger has left it. */
  rise(): void {
    this.#lift.moveFrom(this.#share(this.#environment.animationMs()), 1);
    this.#drag = undefined;
  }

  /** True while nothing can be seen of what is behind it. */
  covers(animationMs: number): boolean {
    return this.#environment.state.locked && this.#share(animationMs) === 0;
  }

  isMoving(animationMs: number): boolean {
    return this.#lift.isMoving(animationMs) || this.#light.isMoving(animationMs);
  }

  touch({ phase, points }: TouchEvent): void {
    const at = points[0];
    this.#environment.changed();
    if (phase === 'begin' && at) this.#drag = { fromY: at.y, up: 0 };
    const drag = this.#drag;
    if (!drag) return;
    if (at) drag.up = Math.max(0, drag.fromY - at.y);
    if (phase !== 'end' && phase !== 'cancel') return;
    if (phase === 'end' && drag.up >= this.#environment.theme.px(UNLOCK_POINTS)) return this.#unlock();
    // Something else may have unlocked the phone under the finger.
    this.#lift.moveFrom(this.#share(this.#environment.animationMs()), this.#environment.state.locked ? 0 : 1);
    this.#drag = undefined;
  }

  #share(animationMs: number): number {
    const { height } = this.#environment.state.size;
    return this.#drag ? clamp(this.#drag.up / height, 0, 1) : this.#lift.at(animationMs);
  }

  paint(scene: Scene, layout: Layout, animationMs: number): void {
    const { picture } = layout;
    const y = -Math.round(picture.height * this.#share(animationMs));
    if (y <= -picture.height) return;
    const facts = { role: 'window', name: 'Lock screen', id: 'system.lockScreen', modal: true } as const;
    scene.within({ ...picture, y }, () => scene.node(facts, picture, () => this.#paintWhole(scene, layout)));
  }

  #paintWhole(scene: Scene, layout: Layout): void {
    const environment = this.#environment;
    const { platform, theme } = environment;
    const { px, fonts } = theme;
    const { picture, turned } = layout;
    const middle = picture.width / 2;
    const wallMs = environment.wallMs();
    scene.sprite(wallpaper(theme, picture.width, picture.height), 0, 0);
    const top = Math.round(picture.height * (turned ? 0.12 : 0.1));
    scene.symbol(symbol('padlock', px(24)), { x: Math.round(middle), y: top }, WHITE);
    const { long } = dateWords(wallMs, environment.state.locale);
    const first = top + px(turned ? 40 : 52);
    scene.label(long, middle, first, fonts.heading, WHITE, 'centre');
    scene.label(clockText(wallMs, platform), middle, first + px(66), fonts.huge, WHITE, 'centre', CLOCK);
    const foot = layout.navigationBar.y - px(platform === 'ios' ? 6 : 24);
    const width = Math.ceil(fonts.label.width(HINT));
    // The wallpaper may be as light as the words.
    const words = { x: Math.round(middle - width / 2), y: foot - px(11), width, height: px(13) };
    scene.shadow(words, px(22), 0, SHADE);
    scene.label(HINT, middle, foot, fonts.label, WHITE, 'centre');
    paintStatusBar(scene, environment, layout, WHITE);
    if (platform === 'ios') paintNavigationBar(scene, environment, layout.navigationBar, WHITE, undefined);
  }

  /** The darkness that is left while the screen comes on, above everything. */
  paintDarkness(scene: Scene, { picture }: Layout, animationMs: number): void {
    scene.rect(picture, colour(0x000000, 1 - this.#light.at(animationMs)));
  }
}
