import { type Fault, fault, type Point, type PointerPhase } from '@runcloud/protocol';
import type { PointerPhase as DevicePhase } from '../device/driver.ts';
import type { RemoteDevice } from '../link/remote-device.ts';
import { CANCELLED, type Ending, endingOfFault, withSteps } from './ending.ts';
import type { OnTouch } from './perform-runner.ts';
import type { Request, Runner } from './request.ts';

export interface GestureListeners {
  /** Called when a step has left for the device. */
  readonly onStep: (request: Request, phase: PointerPhase, points: readonly Point[]) => void;
  /** Called before the first one leaves. */
  readonly onTouch: OnTouch;
}

/**
 * A finger that is moving now. One step is on its way to the device at a time; a move that waits meanwhile is replaced
 * by a newer one, so that the finger never lags behind the hand, and `begin` and `end` are never dropped.
 */
export class LiveGesture implements Runner {
  /** The gesture ends by itself after this time without a step. */
  readonly timeoutMs: number;
  readonly #device: RemoteDevice;
  readonly #nextInputSeq: () => number;
  readonly #begin: readonly Point[];
  readonly #listeners: GestureListeners;
  #move: readonly Point[] | undefined;
  #end: readonly Point[] | undefined;
  #request: Request | undefined;
  #busy = false;
  #lastSent: DevicePhase | undefined;
  #dispatchedSteps = 0;
  /** Why the gesture fails, while its fingers are being lifted. */
  #failure: Ending | undefined;

  constructor(
    device: RemoteDevice,
    begin: readonly Point[],
    nextInputSeq: () => number,
    timeoutMs: number,
    listeners: GestureListeners,
  ) {
    this.timeoutMs = timeoutMs;
    this.#listeners = listeners;
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

  start(request: Request): void {
    this.#request = request;
    this.#listeners.onTouch(request, this.#begin[0]);
    this.#send(request, 'begin', this.#begin);
  }

  stop(): void {
    this.#pump();
  }

  /** Sends what comes next, once the device has taken what came before. */
  #pump(): void {
    const request = this.#request;
    if (!request || this.#busy || request.state !== 'running') return;
    if (this.#lastSent === 'end') {
      // A cancel that came while the last step was on its way is too late: the gesture is complete.
      const result = { pointCount: this.#begin.length, dispatchedSteps: this.#dispatchedSteps };
      request.finish({ status: 'completed', result });
    } else if (this.#lastSent === 'cancel') {
      request.finish(this.#failure ?? withSteps(request.requestedEnding ?? CANCELLED, this.#dispatchedSteps));
    } else if (request.requestedEnding) {
      this.#send(request, 'cancel', []);
    } else if (this.#move) {
      const points = this.#move;
      this.#move = undefined;
      this.#send(request, 'move', points);
    } else if (this.#end) {
      this.#send(request, 'end', this.#end);
    }
  }

  #send(request: Request, phase: DevicePhase, points: readonly Point[]): void {
    this.#busy = true;
    this.#lastSent = phase;
    const inputSeq = this.#nextInputSeq();
    const { answered } = this.#device.pointer(phase, points, inputSeq, { requestId: request.requestId });
    if (phase !== 'cancel') {
      request.tellDispatched(inputSeq, ++this.#dispatchedSteps);
      this.#listeners.onStep(request, phase, points);
    }
    answered.then(
      () => {
        this.#busy = false;
        this.#pump();
      },
      (error) => {
        this.#failure ??= withSteps(endingOfFault(error, request.requestedEnding), this.#dispatchedSteps);
        if (phase === 'cancel') request.finish(this.#failure);
        // The step that failed, or those before it, may have left a finger down.
        else this.#send(request, 'cancel', []);
      },
    );
  }
}
