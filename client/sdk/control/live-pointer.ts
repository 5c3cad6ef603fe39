import type { Acknowledgement, Point } from '../types.ts';

/** One or two fingers on the screen that you move live. They are lifted when the socket is lost. */
export interface LivePointer {
  readonly requestId: string;
  /** Resolves after `end`; rejects with `RunCloudError` when the gesture ended in another way. */
  readonly result: Promise<Acknowledgement>;
  /** Moves to the same number of points as at the start. A newer move replaces one that waits. Ignored after the end. */
  move(...points: readonly Point[]): void;
  /** Lifts the fingers at these points, or where they are. */
  end(...points: readonly Point[]): Promise<Acknowledgement>;
  /** Lifts the fingers; `result` then rejects with `interaction_cancelled`. */
  cancel(): void;
}

export interface PointerParts {
  readonly requestId: string;
  readonly first: readonly Point[];
  readonly result: Promise<Acknowledgement>;
  readonly step: (phase: 'move' | 'end', points: readonly Point[]) => void;
  readonly cancel: () => void;
}

export function livePointer({ requestId, first, result, step, cancel }: PointerParts): LivePointer {
  let last = first;
  // A caller that ignores `result` must not get an unhandled rejection.
  result.catch(() => undefined);
  return {
    requestId,
    result,
    cancel,
    move: (...points) => {
      step('move', points);
      last = points;
    },
    end: (...points) => {
      step('end', points.length > 0 ? points : last);
      return result;
    },
  };
}
