import { type ErrorBody, errorBody, type Outcome } from '@runcloud/protocol';
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

const CODE_OF_FAULT = {
  aborted: 'interaction_failed',
  failed: 'interaction_failed',
  unreachable: 'interaction_transport_error',
  nonsense: 'interaction_invalid_response',
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
