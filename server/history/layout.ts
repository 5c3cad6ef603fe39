import type { ErrorBody, HistoryOrigin, Observed, Outcome, PointerPhase, Touched } from '@runcloud/protocol';

/**
 * How entries cross from the gateway to the thread of the history, and lie in its file: numbers in rows of `WIDTH`, and notes
 * for all else. A tap and a live gesture, which most entries are, have numbers alone.
 */
export const WIDTH = 8;
/** Number of the caller, from 1. */
export const BY = 0;
/** Milliseconds since the epoch. */
export const ACCEPTED = 1;
/** Milliseconds after the acceptance; `NOT_YET` until then. */
export const DISPATCHED = 2;
export const INPUT_SEQ = 3;
export const DURATION = 4;
/** Place in `STATUSES`; 0 until the end. */
export const OUTCOME = 5;
/** The point of a tap; in every other entry `X` is `Number.NaN`, and `Y` tells whether it is a live gesture. */
export const X = 6;
export const Y = 7;

export const NOT_YET = -1;
/** The `Y` of a live gesture. */
export const LIVE = 1;

/** Their places are in files: new ones come at the end. */
export const STATUSES = ['pending', 'completed', 'failed', 'cancelled', 'timed_out'] as const satisfies readonly (
  | Outcome
  | 'pending'
)[];
export const PHASES = ['begin', 'move', 'end'] as const satisfies readonly PointerPhase[];

/** A step of a live gesture: phase (its place in `PHASES`), milliseconds after the acceptance, x and y of each point. */
export type StepNumbers = readonly number[];

/** What numbers cannot say of the entry `seq`. */
export interface Note {
  readonly seq: number;
  readonly action?: string;
  /** The request's body; of a gesture the numbers of `numbersOfGesture`. */
  readonly body?: object;
  readonly error?: ErrorBody;
  /** Without the difference of the tree. */
  readonly observed?: Observed;
  readonly touched?: Touched;
  /** Further steps are not kept. */
  readonly cut?: true;
  /** How many requests before this one could not be kept. */
  readonly lost?: number;
}

/** The news of one session since its last piece. */
export interface Piece {
  readonly sessionId: string;
  readonly fullTexts: boolean;
  /** The `seq` of the first new entry. */
  readonly first: number;
  readonly count: number;
  readonly numbers: Float64Array;
  /** Request ids in ASCII, each with a line feed behind it. */
  readonly ids: Uint8Array;
  readonly notes: readonly Note[];
  /** Steps of live gestures, one after the other: `seq`, how many numbers follow, and these, as of `StepNumbers`. */
  readonly steps: Float64Array;
  /** Changes of entries of earlier pieces: `seq`, column and value, one after the other. */
  readonly changes: readonly number[];
  /** Callers that are new, in the order of their numbers. */
  readonly origins: readonly HistoryOrigin[];
  /** The number of the first of them. */
  readonly firstOrigin: number;
}
