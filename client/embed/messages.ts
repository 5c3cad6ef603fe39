import type { SessionEvent } from '../sdk/control/messages.ts';
import type { Acknowledgement, Orientation, Platform, Role } from '../sdk/types.ts';

/**
 * The messages between a page and its embedded viewer by `postMessage` (specification, section 6.2). Both ends address the
 * other's exact origin and ignore messages from every other origin.
 */

export type Outcome = Acknowledgement['status'];

/** A flat interaction; a missing `requestId` is generated. */
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
  /** Advice on what you can do next. */
  readonly action?: string;
}

/** How an interaction ended. */
export interface InteractionResult {
  readonly requestId: string;
  readonly action: string;
  readonly status: Outcome;
  /** Absent if the request was not acknowledged: after a timeout of this page, or if the frame was removed. */
  readonly platform?: Platform;
  /** Present in every acknowledged result and failure; absent if the request was not acknowledged. */
  readonly timing?: Timing;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: InteractionError;
}

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

/** An event of the session, except `viewers`; `disconnected`: the frame will not reconnect. */
export type FrameEvent =
  | Exclude<SessionEvent, { readonly event: 'viewers' }>
  | { readonly event: 'disconnected'; readonly reason: string };

export type ResultMessage = InteractionResult & Timing & { readonly type: 'service:interaction-result' };

export type ToPage = FrameReady | ({ readonly type: 'service:event' } & FrameEvent) | ResultMessage;

export type ToFrame =
  | (InteractionRequest & { readonly type: 'service:interaction'; readonly requestId: string })
  | { readonly type: 'service:interaction-cancel'; readonly requestId: string; readonly action?: string }
  /** Requests `service:ready` again, for a page that started to listen after it was sent. */
  | { readonly type: 'service:hello' };

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
