import { type Fault, fault, type Point, type PointerPhase } from '@runcloud/protocol';
import type { PointerPhase as DevicePhase } from '../device/driver.ts';
import type { RemoteDevice } from '../link/remote-device.ts';
import { CANCELLED, type Ending, endingOfFault, withSteps } from './ending.ts';
import type { Entry, Work } from './entry.ts';

/**
 * A finger that is moving now. One step is on its way to the device at a time; a move that waits meanwhile is replaced
 * by a newer one, so that the finger never lags behind the hand, and `begin` and `end` are never dropped.
 */
export class LiveGesture implements Work {
  /** The gesture ends by itself after this time without a step. */
  readonly timeoutMs: number;
  readonly #device: RemoteDevice;
  readonly #nextInputSeq: () => number;
  readonly #begin: readonly Point[];
  #move: readonly Point[] | undefined;
  #end: readonly Point[] | undefined;
  #entry: Entry | undefined;
  #busy = false;
  #lastSent: DevicePhase | undefined;
  #dispatchedSteps = 0;
  /** Why the gesture fails, while its fingers are being lifted. */
  #failure: Ending | undefined;

  constructor(device: RemoteDevice, begin: readonly Point[], nextInputSeq: () => number, timeoutMs: number) {
    this.timeoutMs = timeoutMs;
    this.#device = device;
    this.#begin = begin;
    this.#nextInputSeq = nextInputSeq;
  }

  /** Takes the next step; tells why when it does not fit. */
  step(phase: PointerPhase, points: readonly Point[]): Fault | undefined {
    if (phase === 'begin') return fault('phase', 'must be move or end: this gesture has begun');
    if (this.#end) return fault('phase', 'comes after the end of this gesture');
    if (points.length !== this.#begin.length) {
      return fault('points', `must have ${this.#begin.length} points, as many as the first step`);
    }
    if (phase === 'move') this.#move = points;
    else this.#end = points;
    this.#pump();
    return undefined;
  }

  start(entry: Entry): void {
    this.#entry = entry;
    this.#send(entry, 'begin', this.#begin);
  }

  stop(): void {
    this.#pump();
  }

  /** Sends what comes next, once the device has taken what came before. */
  #pump(): void {
    const entry = this.#entry;
    if (!entry || this.#busy || entry.state !== 'running') return;
    if (this.#lastSent === 'end') {
      // A wish that came while the last step was on its way is too late: the gesture is complete.
      const result = { pointCount: this.#begin.length, dispatchedSteps: this.#dispatchedSteps };
      entry.finish({ status: 'completed', result });
    } else if (this.#lastSent === 'cancel') {
      entry.finish(this.#failure ?? withSteps(entry.wish ?? CANCELLED, this.#dispatchedSteps));
    } else if (entry.wish) {
      this.#send(entry, 'cancel', []);
    } else if (this.#move) {
      const points = this.#move;
      this.#move = undefined;
      this.#send(entry, 'move', points);
    } else if (this.#end) {
      this.#send(entry, 'end', this.#end);
    }
  }

  #send(entry: Entry, phase: DevicePhase, points: readonly Point[]): void {
    this.#busy = true;
    this.#lastSent = phase;
    const inputSeq = this.#nextInputSeq();
    const { answered } = this.#device.pointer(phase, points, inputSeq, { requestId: entry.requestId });
    if (phase !== 'cancel') entry.tellDispatched(inputSeq, ++this.#dispatchedSteps);
    answered.then(
      () => {
        this.#busy = false;
        this.#pump();
      },
      (error) => {
        this.#failure ??= withSteps(endingOfFault(error, entry.wish), this.#dispatchedSteps);
        if (phase === 'cancel') entry.finish(this.#failure);
        // The step that failed, or those before it, may have left a finger down.
        else this.#send(entry, 'cancel', []);
      },
    );
  }
}
