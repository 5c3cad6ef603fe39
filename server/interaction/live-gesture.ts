import { type Fault, fault, type Point, type PointerPhase } from '@runcloud/protocol';
import type { PointerPhase as DevicePhase } from '../device/driver.ts';
import type { CallObserver } from '../link/host-link.ts';
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
 * by a newer one, so that the finger never lags behind the hand, and `begin` and `end` are never dropped. Once the `end` has come nothing
 * that waits can be replaced, and all of it leaves.
 */
export class LiveGesture implements Runner, CallObserver<'pointer'> {
  /** The gesture ends by itself after this time without a step. */
  readonly timeoutMs: number;
  readonly #device: RemoteDevice;
  readonly #nextInputSeq: () => number;
  readonly #begin: readonly Point[];
  readonly #listeners: GestureListeners;
  #move: readonly Point[] | undefined;
  #end: readonly Point[] | undefined;
  #request: Request | undefined;
  /** Steps that the device has not answered. */
  #inFlight = 0;
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
    this.#pump();
  }

  stop(): void {
    this.#pump();
  }

  /** Sends what may leave now, or ends the request once the device has answered every step. */
  #pump(): void {
    const request = this.#request;
    if (request?.state !== 'running') return;
    const isIdle = this.#inFlight === 0;
    const isOver = this.#lastSent === 'end' || this.#lastSent === 'cancel';
    if (isOver || this.#failure || request.requestedEnding) {
      if (isIdle) this.#conclude(request);
      return;
    }
    if (!isIdle && !this.#end) return;
    if (this.#move) {
      const points = this.#move;
      this.#move = undefined;
      this.#send(request, 'move', points);
    }
    if (this.#end) this.#send(request, 'end', this.#end);
  }

  #conclude(request: Request): void {
    if (this.#lastSent === 'cancel') {
      request.finish(this.#failure ?? withSteps(request.requestedEnding ?? CANCELLED, this.#dispatchedSteps));
    } else if (this.#lastSent === 'end' && !this.#failure) {
      // A cancel that came while the last step was on its way is too late: the gesture is complete.
      const result = { pointCount: this.#begin.length, dispatchedSteps: this.#dispatchedSteps };
      request.finish({ status: 'completed', result });
    } else {
      // The step that failed, or those before it, may have left a finger down.
      this.#send(request, 'cancel', []);
    }
  }

  #send(request: Request, phase: DevicePhase, points: readonly Point[]): void {
    this.#inFlight++;
    this.#lastSent = phase;
    const inputSeq = this.#nextInputSeq();
    this.#device.pointer(phase, points, inputSeq, this);
    if (phase !== 'cancel') {
      request.tellDispatched(inputSeq, ++this.#dispatchedSteps);
      this.#listeners.onStep(request, phase, points);
    }
  }

  /** Names it in the log. */
  get requestId(): string {
    return this.#request?.requestId ?? '';
  }

  /** The device has taken a step. */
  answered(): void {
    this.#inFlight--;
    this.#pump();
  }

  failed(error: unknown): void {
    this.#failure ??= withSteps(endingOfFault(error, this.#request?.requestedEnding), this.#dispatchedSteps);
    this.answered();
  }
}
