import type { UiNode } from './types.ts';

/** Why it is not known whether an input changed the screen. */
export type UnknownReason = 'moves_by_itself' | 'next_input' | 'not_seen' | 'cancelled' | 'session_ended' | 'timed_out';

/** What was seen of the effect of an input. Exactly one of `changed` and `unknown` is there. */
export interface Observed {
  /** Whether the screen changed because of it; absent where that is not known. */
  readonly changed?: boolean;
  readonly unknown?: UnknownReason;
  /** Where the picture was different at the end; absent if all was as before again. */
  readonly area?: UiNode['frame'];
  /** Milliseconds from the dispatch to the first picture that shows a change. */
  readonly firstPictureMs?: number;
  /** Milliseconds from the dispatch to the last change; absent where the screen went on moving. */
  readonly settledMs?: number;
  /** What is otherwise in the outline of the screen. */
  readonly tree?: string;
}
