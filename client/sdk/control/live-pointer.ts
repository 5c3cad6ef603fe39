/// <reference lib="esnext.disposable" preserve="true" />
import type { Completed } from '../completed.ts';
import type { Point } from '../types.ts';

/** One or two fingers on the screen that you move live. They are lifted when the socket is lost. */
export interface LivePointer {
  readonly requestId: string;
  /** Resolves after `end`; rejects with `RunCloudError` when the gesture ended in another way. */
  readonly result: Promise<Completed<'pointer'>>;
  /** Moves to the same number of points as at the start. A newer move replaces one that waits. Ignored after the end. */
  move(...points: readonly Point[]): void;
  /** Lifts the fingers at these points, or where they are. */
  end(...points: readonly Point[]): Promise<Completed<'pointer'>>;
  /** Lifts the fingers; `result` then rejects with `interaction_cancelled`. */
  cancel(): void;
  /** Lifts the fingers where they are, at the end of an `await using`; does nothing after `end` or `cancel`. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface PointerParts {
  readonly requestId: string;
  readonly first: readonly Point[];
  readonly result: Promise<Completed<'pointer'>>;
  readonly step: (phase: 'move' | 'end', points: readonly Point[]) => void;
  readonly cancel: () => void;
}

export function livePointer({ requestId, first, result, step, cancel }: PointerParts): LivePointer {
  let last = first;
  let isOver = false;
  // A caller that ignores `result` must not get an unhandled rejection.
  result.catch(() => undefined);
  return {
    requestId,
    result,
    cancel: () => {
      isOver = true;
      cancel();
    },
    move: (...points) => {
      step('move', points);
      last = points;
    },
    end(...points) {
      step('end', points.length > 0 ? points : last);
      isOver = true;
      return result;
    },
    async [Symbol.asyncDispose]() {
      if (!isOver) await this.end();
    },
  };
}
