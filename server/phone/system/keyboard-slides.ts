import { Glide, type MotionClock, SLIDE_MS } from '../glide.ts';

/**
 * The position of the software keyboard in each app, from 0, which is below the picture, to 1. Each app has its own: while
 * one closes with the keyboard on its way out, another one may open with it on its way in.
 */
export class KeyboardSlides {
  readonly #clock: MotionClock;
  readonly #slides = new Map<string, Glide>();

  constructor(clock: MotionClock) {
    this.#clock = clock;
  }

  /** @param owner an app's id, `home` or `switcher` */
  set(owner: string, shown: boolean): void {
    const slide = this.#slides.get(owner) ?? new Glide(this.#clock, SLIDE_MS);
    this.#slides.set(owner, slide);
    if (slide.end !== Number(shown)) slide.moveTo(Number(shown));
  }

  /** The one keyboard that is up, if one is, without a motion. */
  restore(owner: string | undefined): void {
    this.#slides.clear();
    if (owner !== undefined) this.#slides.set(owner, new Glide(this.#clock, SLIDE_MS, 1));
  }

  share(owner: string, animationMs: number): number {
    return this.#slides.get(owner)?.at(animationMs) ?? 0;
  }

  isMoving(animationMs: number): boolean {
    return [...this.#slides.values()].some((slide) => slide.isMoving(animationMs));
  }
}
