import type { HistoryOrigin, Observed, Point, PointerPhase, Touched } from '@runcloud/protocol';
import type { Ending } from './ending.ts';
import type { Request } from './request.ts';

/** Takes down what is done in one session. It is called on the path of every tap: a call is a few assignments. */
export interface Journal {
  /** The number of a caller, for `accepted`. */
  origin(by: HistoryOrigin): number;
  /** Gives the number of the new entry; 0 if it is not kept, and every later call with 0 does nothing. */
  accepted(request: Request, origin: number): number;
  /** An input of it left for the device. */
  dispatched(entry: number, inputSeq: number, afterMs: number): void;
  /** A step of a live gesture left for the device. */
  step(entry: number, phase: PointerPhase, points: readonly Point[], afterMs: number): void;
  /** What was under its first finger. */
  touched(entry: number, touched: Touched): void;
  ended(entry: number, ending: Ending, durationMs: number): void;
  /** What was seen of its effect, after its end. */
  observed(entry: number, observed: Observed): void;
}

export const NO_JOURNAL: Journal = {
  origin: () => 0,
  accepted: () => 0,
  dispatched: () => undefined,
  step: () => undefined,
  touched: () => undefined,
  ended: () => undefined,
  observed: () => undefined,
};
