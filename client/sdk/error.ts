import { ERRORS, type ErrorCode } from '../../protocol/errors.ts';
import type { Acknowledgement, ErrorBody, Outcome } from './types.ts';

/**
 * Why a call failed: a code of the service, or one of this package for an answer that did not come, came too late or was wrong.
 * A later version of the service may send a code that is not among them: decide by `retryable` then.
 */
export type FailureCode = ErrorCode | 'transport_error' | 'request_timeout' | 'invalid_response';

/** The name of an operation, and the codes of its failures of transport. */
export interface Operation {
  readonly name: string;
  /** The `action` of failures without an acknowledgement. */
  readonly action?: string;
  readonly transportCode: FailureCode;
  readonly timeoutCode: FailureCode;
  readonly invalidCode: FailureCode;
}

/** Details of a failure. */
export interface Failure {
  readonly operation: string;
  /** HTTP status; over the control socket, the status that REST would have answered. Absent without an answer. */
  readonly status?: number | undefined;
  readonly error: Omit<ErrorBody, 'code'> & { readonly code: FailureCode };
  readonly envelope?: Readonly<Record<string, unknown>> | undefined;
  /** Milliseconds, from `Retry-After`. */
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** A failed call with all known details. */
export class RunCloudError extends Error {
  override readonly name = 'RunCloudError';
  /** HTTP status; absent if the service did not answer. */
  readonly status: number | undefined;
  readonly code: FailureCode;
  /** The service's error message, or this package's own if the service did not answer. */
  readonly detail: string;
  /** Whether the same call may succeed later, unchanged. */
  readonly retryable: boolean;
  /** Further fields of the answer: `result`, and the ids of device and lease. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly requestId: string | undefined;
  readonly sessionId: string | undefined;
  readonly platform: string | undefined;
  readonly action: string | undefined;
  readonly interactionStatus: Outcome | undefined;
  readonly acceptedAt: string | undefined;
  readonly completedAt: string | undefined;
  readonly durationMs: number | undefined;
  /** The service's suggestion for what to do next. */
  readonly suggestedAction: string | undefined;
  /** Milliseconds to wait before a retry, if the service sent them. */
  readonly retryAfterMs: number | undefined;
  /** The called method, such as `sessions.create`. */
  readonly operation: string;

  constructor({ operation, status, error, envelope = {}, retryAfterMs, cause }: Failure) {
    super(error.message, cause === undefined ? undefined : { cause });
    const { ok: _ok, error: _error, ...rest } = envelope;
    const { requestId, sessionId, platform, action, ...more } = rest;
    const { status: outcome, acceptedAt, completedAt, durationMs, ...details } = more;
    this.operation = operation;
    this.status = status;
    this.code = error.code;
    this.detail = error.message;
    this.retryable = error.retryable;
    this.details = details;
    this.requestId = text(requestId);
    this.sessionId = text(sessionId);
    this.platform = text(platform);
    this.action = text(action);
    this.interactionStatus = text(outcome) as Outcome | undefined;
    this.acceptedAt = text(acceptedAt);
    this.completedAt = text(completedAt);
    this.durationMs = typeof durationMs === 'number' ? durationMs : undefined;
    this.suggestedAction = error.action;
    this.retryAfterMs = retryAfterMs;
  }

  /** The failure as the service sends it over REST, without unknown fields. */
  toJSON(): Record<string, unknown> {
    const { requestId, sessionId, platform, action, interactionStatus: status = 'failed' } = this;
    const { acceptedAt, completedAt, durationMs, details, code, detail: message, retryable, suggestedAction } = this;
    const envelope = { ok: false, requestId, sessionId, platform, action, status, acceptedAt, completedAt, durationMs };
    const known = Object.entries({ ...envelope, ...details }).filter(([, value]) => value !== undefined);
    const error = { code, message, retryable, ...(suggestedAction === undefined ? {} : { action: suggestedAction }) };
    return { ...Object.fromEntries(known), error };
  }
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export const CREATE_SESSION = 'sessions.create';

/** Whether a session could not be created because no device was free: you can safely retry. */
export function isCapacityError(error: unknown): error is RunCloudError {
  return (
    error instanceof RunCloudError &&
    error.operation === CREATE_SESSION &&
    error.status === 503 &&
    error.code === 'simulator_capacity_unavailable' &&
    error.retryable
  );
}

const NO_REASON = { code: 'interaction_failed', message: 'It failed.', retryable: false } as const;

/** The error for a failed acknowledgement of the control socket. */
export function failureOf(operation: string, acknowledgement: Acknowledgement): RunCloudError {
  const { type: _type, ...envelope } = acknowledgement as Acknowledgement & { readonly type?: string };
  const { error = NO_REASON } = acknowledgement;
  // A later version may have codes that this one does not know.
  const { http = 500 } = ERRORS[error.code] ?? {};
  return new RunCloudError({ operation, status: http, error, envelope: { ...envelope } });
}

/** The caller's fields of a request without an acknowledgement. */
export interface Unanswered {
  readonly requestId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly platform?: string | undefined;
  readonly action?: string | undefined;
}

/** A failure of transport: no answer, no answer in time, or an invalid answer. */
export function unanswered(
  operation: Operation,
  kind: 'transport' | 'timeout' | 'invalid',
  message: string,
  about: Unanswered = {},
  more: { readonly cause?: unknown; readonly status?: number | undefined } = {},
): RunCloudError {
  const code = { transport: operation.transportCode, timeout: operation.timeoutCode, invalid: operation.invalidCode }[
    kind
  ];
  const status: Outcome = kind === 'timeout' ? 'timed_out' : 'failed';
  const envelope = { action: operation.action, ...about, status };
  return new RunCloudError({
    operation: operation.name,
    error: { code, message, retryable: kind !== 'invalid' },
    envelope,
    ...more,
  });
}
