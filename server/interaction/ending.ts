import type { ErrorBody, Outcome } from '@runcloud/protocol';
import { type ErrorCode, errorBody, ServiceError } from '@runcloud/protocol/terms';
import { DeviceFault, type DeviceFaultKind, TargetFault, type TargetFaultKind } from '../device/fault.ts';
import type { Observing } from './observing.ts';

type Result = Readonly<Record<string, unknown>>;

/** How an interaction ended. Only a completed one has no error. */
export type Ending =
  | {
      readonly status: 'completed';
      readonly result?: Result;
      /** Of a request that is observed. */
      readonly observing?: Observing;
    }
  | { readonly status: Exclude<Outcome, 'completed'>; readonly error: ErrorBody; readonly result?: Result };

export const CANCELLED: Ending = { status: 'cancelled', error: errorBody('interaction_cancelled') };
export const TIMED_OUT: Ending = { status: 'timed_out', error: errorBody('interaction_timeout') };
export const SESSION_ENDED: Ending = {
  status: 'failed',
  error: errorBody('active_session_not_found', 'The session ended before the interaction was carried out.'),
};

/** The end of one that was refused after it was accepted. */
export const failedWith = (error: unknown): Ending => ({
  status: 'failed',
  error: error instanceof ServiceError ? errorBody(error.code, error.message) : errorBody('internal_error'),
});

/** How requests of one kind end when the device has no say in it. */
export interface RequestEndings {
  readonly cancelled: Ending;
  readonly timedOut: Ending;
  readonly sessionEnded: Ending;
  /** The code that refuses a request after the session's end. */
  readonly afterEnd: ErrorCode;
}

export const INTERACTION_ENDINGS: RequestEndings = {
  cancelled: CANCELLED,
  timedOut: TIMED_OUT,
  sessionEnded: SESSION_ENDED,
  afterEnd: 'active_session_not_found',
};

/** How a wait for something on the screen ends. */
export const WAIT_ENDINGS: RequestEndings = {
  ...INTERACTION_ENDINGS,
  timedOut: { status: 'timed_out', error: errorBody('wait_timeout') },
};

const CODE_OF_FAULT = {
  aborted: 'interaction_failed',
  failed: 'interaction_failed',
  unhandled: 'interaction_failed',
  missing: 'app_not_found',
  full: 'asset_capacity_unavailable',
  damaged: 'interaction_failed',
  unavailable: 'interaction_transport_error',
  unreachable: 'interaction_transport_error',
  nonsense: 'interaction_invalid_response',
  unsupported: 'unsupported_action',
} as const satisfies Record<DeviceFaultKind, string>;

const CODE_OF_TARGET = {
  expired: 'ref_expired',
  otherFrame: 'ref_of_other_frame',
  notIssued: 'ref_not_issued',
  absent: 'target_not_found',
  several: 'target_ambiguous',
  disabled: 'target_disabled',
} as const satisfies Record<TargetFaultKind, string>;

let lastCompleted: Ending = { status: 'completed' };

/**
 * How an interaction with this result completed. Endings are kept for as long as they can be asked for again, by the
 * thousands, and most taps end alike: equal ones that follow each other are one object.
 */
export function completedWith(result: Result | undefined): Ending {
  if (lastCompleted.result === undefined || !equal(lastCompleted.result, result)) {
    lastCompleted = result === undefined ? { status: 'completed' } : { status: 'completed', result };
  }
  return lastCompleted;
}

/** Of objects alone their identity counts. */
function equal(one: Result, other: Result | undefined): boolean {
  if (other === undefined) return false;
  let fields = 0;
  for (const key in one) {
    if (one[key] !== other[key]) return false;
    fields++;
  }
  for (const _ in other) fields--;
  return fields === 0;
}

/** Adds how far a gesture came. */
export function withSteps(ending: Ending, dispatchedSteps: number | undefined): Ending {
  return dispatchedSteps === undefined ? ending : { ...ending, result: { ...ending.result, dispatchedSteps } };
}

/**
 * The ending that a device's failure means to the caller.
 * @param requestedEnding the ending that a cancel or a time-out asked for
 */
export function endingOfFault(error: unknown, requestedEnding: Ending | undefined): Ending {
  if (!(error instanceof DeviceFault)) return { status: 'failed', error: errorBody('internal_error') };
  if (error.kind === 'aborted' && requestedEnding) return withSteps(requestedEnding, error.dispatchedSteps);
  const code = error instanceof TargetFault ? CODE_OF_TARGET[error.target] : CODE_OF_FAULT[error.kind];
  return withSteps({ status: 'failed', error: errorBody(code, error.message) }, error.dispatchedSteps);
}
