import { CLOSE } from '../../../protocol/close-codes.ts';
import type { ErrorCode } from '../../../protocol/errors.ts';
import { type FailureCode, RunCloudError, unanswered } from '../error.ts';
import { general } from '../operations.ts';

const CONNECT = 'connect';

const because = (code: FailureCode, message: string, status?: number): RunCloudError =>
  new RunCloudError({ operation: CONNECT, status, error: { code, message, retryable: false } });

const FINAL: ReadonlyMap<number, () => RunCloudError> = new Map([
  [CLOSE.normal.code, () => because('transport_error', 'The control socket was closed.')],
  [CLOSE.text.code, () => because('transport_error', 'The service does not understand this client.')],
  [CLOSE.undecodable.code, () => because('transport_error', 'The service does not understand this client.')],
  [CLOSE.policy.code, () => because('transport_error', 'The service refused too many messages of this client.')],
  [CLOSE.tooLarge.code, () => because('transport_error', 'A message was too large for the service.')],
  [CLOSE.revoked.code, () => because('authentication_required', 'The key was revoked, or the token expired.', 401)],
  [CLOSE.ended.code, () => because('active_session_not_found', 'The session has ended.', 404)],
]);

/** The error for a close code after which the socket does not reconnect; `undefined` if it reconnects. */
export function endingOf(code: number, reason?: string): RunCloudError | undefined {
  const ending = FINAL.get(code)?.();
  if (code !== CLOSE.ended.code || reason === undefined) return ending;
  return because('active_session_not_found', `The session has ended (${reason}).`, 404);
}

// A page's plain request has no Origin header, so that a 403 does not tell why its handshake failed.
const REFUSALS: ReadonlyMap<number, readonly [code: ErrorCode, message: string]> = new Map([
  [401, ['authentication_required', 'A valid API key is required.']],
  [404, ['active_session_not_found', 'There is no active session with this id.']],
]);

/** The error for a status after which the handshake is not retried; `undefined` if it is retried. */
export function refusalOf(status: number): RunCloudError | undefined {
  const refusal = REFUSALS.get(status);
  return refusal && because(...refusal, status);
}

export const closedByCaller = (): RunCloudError => because('transport_error', 'The control socket was closed.');

export const connectedTooLate = (): RunCloudError =>
  unanswered(general(CONNECT), 'timeout', 'The control socket did not open in time.');

/** @param afterMs absent if its caller has given it up */
export const givenUp = (afterMs?: number): RunCloudError =>
  new RunCloudError({
    operation: CONNECT,
    error: {
      code: 'transport_error',
      message:
        afterMs === undefined
          ? 'The control socket was lost, and its caller did not wait for it.'
          : `The control socket was lost, and could not be opened again within ${afterMs} ms.`,
      retryable: true,
    },
  });
