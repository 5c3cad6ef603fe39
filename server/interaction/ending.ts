import { type ErrorBody, type ErrorCode, errorBody, type Outcome } from '@runcloud/protocol';
import { DeviceFault, type DeviceFaultKind } from '../device/fault.ts';

type Result = Readonly<Record<string, unknown>>;

/** How an interaction ended. Only a completed one has no error. */
export type Ending =
  | { readonly status: 'completed'; readonly result?: Result }
  | { readonly status: Exclude<Outcome, 'completed'>; readonly error: ErrorBody; readonly result?: Result };

export const CANCELLED: Ending = { status: 'cancelled', error: errorBody('interaction_cancelled') };
export const TIMED_OUT: Ending = { status: 'timed_out', error: errorBody('interaction_timeout') };
export const SESSION_ENDED: Ending = {
  status: 'failed',
  error: errorBody('active_session_not_found', 'The session ended before the interaction was carried out.'),
};

/** How requests of one kind end when the device has no say in it. */
export interface Endings {
  readonly cancelled: Ending;
  readonly timedOut: Ending;
  readonly sessionEnded: Ending;
  /** What a request that comes after the session's end is refused with. */
  readonly afterEnd: ErrorCode;
}

export const INTERACTION_ENDINGS: Endings = {
  cancelled: CANCELLED,
  timedOut: TIMED_OUT,
  sessionEnded: SESSION_ENDED,
  afterEnd: 'active_session_not_found',
};

const CODE_OF_FAULT = {
  aborted: 'interaction_failed',
  failed: 'interaction_failed',
  unhandled: 'interaction_failed',
  unavailable: 'interaction_transport_error',
  unreachable: 'interaction_transport_error',
  nonsense: 'interaction_invalid_response',
  unsupported: 'unsupported_action',
} as const satisfies Record<DeviceFaultKind, string>;

/** Adds how far a gesture came. */
export function withSteps(ending: Ending, dispatchedSteps: number | undefined): Ending {
  return dispatchedSteps === undefined ? ending : { ...ending, result: { ...ending.result, dispatchedSteps } };
}

/** What a device's failure means to the caller; `wish` is how a cancel or a time-out wanted it to end. */
export function endingOfFault(error: unknown, wish: Ending | undefined): Ending {
  if (!(error instanceof DeviceFault)) return { status: 'failed', error: errorBody('internal_error') };
  if (error.kind === 'aborted' && wish) return withSteps(wish, error.dispatchedSteps);
  return withSteps(
    { status: 'failed', error: errorBody(CODE_OF_FAULT[error.kind], error.message) },
    error.dispatchedSteps,
  );
}
