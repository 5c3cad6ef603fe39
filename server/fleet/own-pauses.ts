import { BEAT_MS } from './messages.ts';

/** The pauses of this process, told by its own beats: what it has not heard meanwhile, nobody has failed to say. */
export class OwnPauses {
  #beatMs: number;

  /** @param nowMs monotonic time, also of `beat` */
  constructor(nowMs: number) {
    this.#beatMs = nowMs;
  }

  /** Milliseconds that this process has stood still since its beat before; 0 for a beat that is hardly late. */
  beat(nowMs: number): number {
    const lateMs = nowMs - this.#beatMs - BEAT_MS;
    this.#beatMs = nowMs;
    return lateMs > BEAT_MS / 2 ? lateMs : 0;
  }
}
