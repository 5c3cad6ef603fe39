import type { SessionEvent } from '../sdk/control/messages.ts';
import type { Acknowledgement, Orientation, Platform, Role } from '../sdk/types.ts';

/**
 * What a page and the viewer that it embeds say to each other with `postMessage` (specification, section 6.2). Both ends
 * name the other's exact origin, and listen to nobody else.
 */

export type Outcome = Acknowledgement['status'];

/** A flat interaction; `requestId` is made up where it is absent. */
export interface InteractionRequest {
  readonly action: string;
  readonly requestId?: string;
  readonly timeoutMs?: number;
  readonly [field: string]: unknown;
}

export interface Timing {
  readonly acceptedAt: string;
  readonly completedAt: string;
  readonly durationMs: number;
}

export interface InteractionError {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
  /** What can be done next. */
  readonly action?: string;
}

/** How an interaction ended. */
export interface InteractionResult {
  readonly requestId: string;
  readonly action: string;
  readonly status: Outcome;
  /** Absent where nobody acknowledged the request: after a timeout of this page, or when the frame went away. */
  readonly platform?: Platform;
  /** Of every acknowledged result and failure; absent where nobody acknowledged the request. */
  readonly timing?: Timing;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: InteractionError;
}

/** What the device can do; lists hold names of the contract. */
export interface FrameCapabilities {
  readonly actions: readonly string[];
  readonly orientations: readonly string[];
  readonly buttons: readonly string[];
  readonly renderOptions: readonly string[];
  readonly lockKeys: boolean;
  readonly modifiers: boolean;
  /** Keys and buttons stay down for as long as they are asked to. */
  readonly holds: boolean;
  readonly fingers: 1 | 2;
  /** Gestures of several steps, and live pointers. */
  readonly freeGestures: boolean;
  readonly screenEncodings: readonly string[];
  readonly openUrl: boolean;
  readonly recording: boolean;
}

/** The frame is connected to its session. */
export interface FrameReady {
  readonly type: 'service:ready';
  readonly version: 1;
  /** Another one after each load of the frame: what was asked of an earlier one has no answer any more. */
  readonly frameId: string;
  readonly platform: Platform;
  readonly role: Role;
  readonly orientation: Orientation;
  readonly capabilities: FrameCapabilities;
}

/** What became of the session, without the viewers' count; `disconnected` when the frame will not connect again. */
export type FrameEvent =
  | Exclude<SessionEvent, { readonly event: 'viewers' }>
  | { readonly event: 'disconnected'; readonly reason: string };

export type ResultMessage = InteractionResult & Timing & { readonly type: 'service:interaction-result' };

export type ToPage = FrameReady | ({ readonly type: 'service:event' } & FrameEvent) | ResultMessage;

export type ToFrame =
  | (InteractionRequest & { readonly type: 'service:interaction'; readonly requestId: string })
  | { readonly type: 'service:interaction-cancel'; readonly requestId: string; readonly action?: string }
  /** Asks for `service:ready`, for a page that began to listen after it was sent. */
  | { readonly type: 'service:hello' };

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
