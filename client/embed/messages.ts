import type { ActionName, ResultOf } from '../../protocol/actions/index.ts';
import type { ResultField } from '../sdk/completed.ts';
import type { SessionEvent } from '../sdk/control/messages.ts';
import type { InteractionRequest } from '../sdk/interactions.ts';
import type {
  ClipboardText,
  ErrorBody,
  Orientation,
  Outcome,
  Platform,
  Point,
  Role,
  Target,
  UiNode,
} from '../sdk/types.ts';

/**
 * The messages between a page and its embedded viewer by `postMessage`. Both ends address the other's exact origin and ignore
 * messages from every other origin.
 */

export type { InteractionRequest, Outcome };

export interface Timing {
  readonly acceptedAt: string;
  readonly completedAt: string;
  readonly durationMs: number;
}

/** Why an interaction failed: decide by `code`, and by `retryable` where a newer service sends a code of its own. */
export type InteractionError = ErrorBody;

/** An interaction that completed; its `result` depends on the action. */
export type CompletedInteraction<Name extends ActionName = ActionName> = Name extends ActionName
  ? {
      readonly requestId: string;
      readonly action: Name;
      readonly status: 'completed';
      readonly platform: Platform;
      readonly timing: Timing;
      readonly error?: never;
    } & ResultField<ResultOf<Name>>
  : never;

/** An interaction that failed, was cancelled or timed out. */
export interface FailedInteraction {
  readonly requestId: string;
  readonly action: string;
  readonly status: Exclude<Outcome, 'completed'>;
  /** Absent if the request was not acknowledged: after a timeout of this page, or if the frame was removed. */
  readonly platform?: Platform;
  /** Absent if the request was not acknowledged. */
  readonly timing?: Timing;
  /** `dispatchedSteps` of a gesture that ended early; else absent. */
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error: InteractionError;
}

/** How an interaction ended; `status` tells. */
export type InteractionResult<Name extends ActionName = ActionName> = CompletedInteraction<Name> | FailedInteraction;

/** The text in the device's clipboard: what it holds, or what it holds after a write. `status` tells how the call ended. */
export type ClipboardResult =
  | {
      readonly requestId: string;
      readonly action: ClipboardAction;
      readonly status: 'completed';
      readonly platform: Platform;
      readonly timing: Timing;
      /** The first 10,000 characters of the text; `truncated` if there are more. */
      readonly result: ClipboardText;
      readonly error?: never;
    }
  | FailedInteraction;

export type ClipboardAction = 'clipboard.get' | 'clipboard.set';

/** The capabilities of the device; lists contain names of the contract. */
export interface FrameCapabilities {
  readonly actions: readonly string[];
  readonly orientations: readonly string[];
  readonly buttons: readonly string[];
  readonly renderOptions: readonly string[];
  readonly lockKeys: boolean;
  readonly modifiers: boolean;
  /** Whether keys and buttons can be held for `durationMs`. */
  readonly holds: boolean;
  readonly fingers: 1 | 2;
  /** Whether gestures of several steps and live pointers are supported. */
  readonly freeGestures: boolean;
  readonly screenEncodings: readonly string[];
  readonly openUrl: boolean;
  readonly clipboard: boolean;
  readonly recording: boolean;
}

/** Sent when the frame is connected to its session. */
export interface FrameReady {
  readonly type: 'service:ready';
  readonly version: 1;
  /** Changes with each load of the frame; calls of an earlier load get no answer. */
  readonly frameId: string;
  readonly platform: Platform;
  readonly role: Role;
  readonly orientation: Orientation;
  readonly capabilities: FrameCapabilities;
}

/** The user chose an element of the screen while the frame inspected; see `SimulatorFrame.inspect`. */
export interface FrameInspected {
  readonly event: 'inspected';
  /** The selector by which the service finds the element, and no other; absent where no selector means it. */
  readonly target?: Target;
  /** Its middle, in fractions of the width and height, where no selector means it. */
  readonly point?: Point;
  /** The element itself. */
  readonly node: UiNode;
  /** Number of the frame that its ref belongs to. */
  readonly frame: number;
}

/** An event of the session, except `viewers`; `disconnected`: the frame will not reconnect. */
export type FrameEvent =
  | Exclude<SessionEvent, { readonly event: 'viewers' }>
  | FrameInspected
  | { readonly event: 'disconnected'; readonly reason: string };

/** The result as the frame sends it: whatever the action, with the times a second time. */
export interface ResultMessage extends Timing, Omit<FailedInteraction, 'status' | 'error'> {
  readonly type: 'service:interaction-result';
  readonly status: Outcome;
  readonly error?: InteractionError;
}

/** Sent while the frame is not connected, so that the page knows that it is heard. `why` is a sentence for people. */
export interface FrameWaiting {
  readonly type: 'service:waiting';
  readonly why: string;
}

export type ToPage = FrameReady | FrameWaiting | ({ readonly type: 'service:event' } & FrameEvent) | ResultMessage;

export type ToFrame =
  /** The fields of the action are beside these. */
  | {
      readonly type: 'service:interaction';
      readonly requestId: string;
      readonly action: string;
      readonly timeoutMs: number;
    }
  /** `text` is that of `clipboard.set`. */
  | {
      readonly type: 'service:clipboard';
      readonly requestId: string;
      readonly action: ClipboardAction;
      readonly text?: string;
    }
  | { readonly type: 'service:interaction-cancel'; readonly requestId: string; readonly action?: string }
  /** Turns the inspector on or off. */
  | { readonly type: 'service:inspect'; readonly on: boolean }
  /** Requests `service:ready` again, for a page that started to listen after it was sent. */
  | { readonly type: 'service:hello' };

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
