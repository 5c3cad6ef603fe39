import { type Fault, fault, type Point, type PointerPhase } from '@runcloud/protocol';
import type { PointerPhase as DevicePhase } from '../device/driver.ts';
import { DeviceFault } from '../device/fault.ts';
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
  /** Calls that the device has been sent since it was idle. */
  readonly #calls: number[] = [];
  /** The device has taken a step, and not lifted the fingers. */
  #isDown = false;
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

  /** Its last step has come: all of it leaves at once when its turn comes. */
  get isBriefNow(): boolean {
    return this.#end !== undefined;
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
    // A begin may wait behind other inputs for its turn, which then never comes.
    const [begin] = this.#calls;
    if (begin !== undefined && !this.#isDown) this.#device.cancel(begin);
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
    } else if (this.#failure && !this.#isDown) {
      request.finish(this.#failure);
    } else {
      this.#send(request, 'cancel', []);
    }
  }

  #send(request: Request, phase: DevicePhase, points: readonly Point[]): void {
    if (this.#inFlight === 0) this.#calls.length = 0;
    this.#inFlight++;
    this.#lastSent = phase;
    const inputSeq = this.#nextInputSeq();
    this.#calls.push(this.#device.pointer(phase, points, inputSeq, this));
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
    this.#isDown = true;
    this.#inFlight--;
    this.#pump();
  }

  failed(error: unknown): void {
    this.#failure ??= withSteps(endingOfFault(error, this.#request?.requestedEnding), this.#dispatchedSteps);
    const isEnded = error instanceof DeviceFault && error.kind === 'aborted';
    // The host lifts the fingers when a step fails.
    if (!isEnded) this.#isDown = false;
    // A begin that was ended before its turn takes those behind it along.
    else if (!this.#isDown) for (const call of this.#calls) this.#device.cancel(call);
    this.#inFlight--;
    this.#pump();
  }
}
