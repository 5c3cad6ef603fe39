import type { Environment } from '../environment.ts';
import { clamp } from '../geometry.ts';
import { Glide, SLIDE_MS } from '../glide.ts';
import type { TouchEvent } from './app.ts';

/** Time in which the speed of a movement falls to 1/e after the finger is lifted. */
const MOMENTUM_MS = 325;
/** Speed at which a movement ends, in pixels per millisecond. */
const REST_SPEED = 0.03;
/** A flick's speed is measured over this time before the finger is lifted. */
const FLICK_WINDOW_MS = 90;

interface Momentum {
  readonly from: number;
  /** Pixels per millisecond of animation time. */
  readonly speed: number;
  readonly startMs: number;
}

/**
 * The position of a list that is dragged, flicked and scrolled along one axis. Momentum is a closed function of time, so the
 * offset does not depend on how many pictures were taken on the way.
 */
export class ScrollView {
  readonly #environment: Environment;
  readonly #slop: number;
  #offset = 0;
  #limit = 0;
  /** Distance from the offset at which the content still is, on its way there. */
  readonly #lag: Glide;
  #momentum: Momentum | undefined;
  #drag: { readonly y: number; readonly offset: number; moved: boolean } | undefined;
  #trail: { readonly y: number; readonly atMs: number }[] = [];

  constructor(environment: Environment) {
    this.#environment = environment;
    this.#lag = new Glide(environment, SLIDE_MS);
    this.#slop = environment.theme.px(8);
  }

  /** True while a finger is dragging and therefore taps nothing. */
  get dragging(): boolean {
    return this.#drag?.moved ?? false;
  }

  /** Sets the length of the content and of the visible area, in pixels. */
  resize(content: number, room: number): void {
    this.#settle();
    this.#limit = Math.max(0, content - room);
    this.#offset = clamp(this.#offset, 0, this.#limit);
  }

  /** Whole pixels from the beginning of the content. */
  offset(animationMs = this.#environment.animationMs()): number {
    const momentum = this.#momentum;
    if (!momentum) return Math.round(this.#offset + this.#lag.at(animationMs));
    const gone = 1 - Math.exp(-(animationMs - momentum.startMs) / MOMENTUM_MS);
    return Math.round(clamp(momentum.from + momentum.speed * MOMENTUM_MS * gone, 0, this.#limit));
  }

  /** Pixels per second; 0 at rest. */
  velocity(animationMs = this.#environment.animationMs()): number {
    const momentum = this.#momentum;
    if (!momentum || !this.animating(animationMs)) return 0;
    return Math.round(momentum.speed * Math.exp(-(animationMs - momentum.startMs) / MOMENTUM_MS) * 1000);
  }

  animating(animationMs: number): boolean {
    if (this.#lag.isMoving(animationMs)) return true;
    const momentum = this.#momentum;
    if (!momentum) return false;
    const speed = Math.abs(momentum.speed) * Math.exp(-(animationMs - momentum.startMs) / MOMENTUM_MS);
    const offset = this.offset(animationMs);
    const atEnd = momentum.speed < 0 ? offset <= 0 : offset >= this.#limit;
    return speed > REST_SPEED && !atEnd;
  }

  /** Moves by pixels at once and stops any momentum. */
  scrollBy(delta: number): void {
    this.#settle();
    this.#offset = clamp(this.#offset + delta, 0, this.#limit);
    this.#environment.changed();
  }

  /** Makes a change that may move the content, which then moves in the time in which the keyboard does. */
  smoothly(change: () => void): void {
    const before = this.offset();
    change();
    this.#lag.moveFrom(before - this.#offset, 0);
  }

  /** Scrolls so that the content between two offsets is visible. */
  reveal(from: number, to: number, room: number): void {
    this.#settle();
    if (from < this.#offset) this.#offset = from;
    else if (to > this.#offset + room) this.#offset = to - room;
    this.#offset = clamp(this.#offset, 0, this.#limit);
  }

  /** Stands still at an offset, as far as the content reaches. */
  restore(offset: number): void {
    this.#settle();
    this.#offset = clamp(offset, 0, this.#limit);
    this.#drag = undefined;
  }

  touch({ phase, points, atMs }: TouchEvent): void {
    const y = points[0]?.y;
    if (phase === 'begin') {
      this.#settle();
      if (y === undefined) return;
      this.#drag = { y, offset: this.#offset, moved: false };
      this.#trail = [{ y, atMs }];
    } else if (phase === 'cancel') {
      this.#drag = undefined;
    } else if (this.#drag && y !== undefined) {
      this.#follow(y, atMs);
      if (phase === 'end') this.#release(atMs);
    }
  }

  #follow(y: number, atMs: number): void {
    const drag = this.#drag;
    if (!drag) return;
    if (Math.abs(y - drag.y) > this.#slop) drag.moved = true;
    this.#trail.push({ y, atMs });
    if (this.#trail.length > 64) this.#trail.splice(0, 32);
    if (!drag.moved) return;
    this.#offset = clamp(drag.offset + drag.y - y, 0, this.#limit);
    this.#environment.changed();
  }

  #release(atMs: number): void {
    const recent = this.#trail.filter((step) => atMs - step.atMs <= FLICK_WINDOW_MS);
    const first = recent[0];
    const last = recent.at(-1);
    const moved = this.#drag?.moved;
    this.#drag = undefined;
    if (!moved || !first || !last || last.atMs <= first.atMs) return;
    const speed = clamp((first.y - last.y) / (last.atMs - first.atMs), -8, 8);
    if (Math.abs(speed) < 0.1) return;
    this.#momentum = { from: this.#offset, speed, startMs: this.#environment.animationMs() };
    this.#environment.changed();
  }

  /** Stops any momentum at the current offset. */
  #settle(): void {
    this.#offset = this.offset();
    this.#momentum = undefined;
    this.#lag.jumpTo(0);
  }
}
