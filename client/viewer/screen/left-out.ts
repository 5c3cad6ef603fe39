import type { ScreenHeader } from '../protocol.ts';

const WINDOW_MS = 2_000;
/** Of some 120 pictures of a screen that moves as a whole. */
const PICTURES_MAX = 30;

/** Counts the pictures that the server has left out for this viewer, because its link or its decoder was busy with those before. */
export class LeftOut {
  #recent: { readonly atMs: number; readonly count: number }[] = [];
  #isFirst = true;

  /** The next packet is the first on its connection: what was left out before it says nothing of the link. */
  forget(): void {
    this.#recent = [];
    this.#isFirst = true;
  }

  /** Takes the next packet's count; whether so many were left out lately that another encoding would do better. */
  isTooMuch({ leftOut }: Pick<ScreenHeader, 'leftOut'>, nowMs: number): boolean {
    if (leftOut > 0 && !this.#isFirst) this.#recent.push({ atMs: nowMs, count: leftOut });
    this.#isFirst = false;
    while (this.#recent[0] && this.#recent[0].atMs < nowMs - WINDOW_MS) this.#recent.shift();
    return this.#recent.reduce((sum, { count }) => sum + count, 0) > PICTURES_MAX;
  }
}
