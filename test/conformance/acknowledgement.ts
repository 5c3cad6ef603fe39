import assert from 'node:assert/strict';
import {
  ACTIONS,
  Acknowledgement,
  type AnyAction,
  ERRORS,
  type ErrorCode,
  type SessionRecord,
} from '@runcloud/protocol';
import type { TSchema } from '@sinclair/typebox';
import { compileCheck } from '../../protocol/compile-check.ts';
import type { Answer, Request } from './transport.ts';

const faultOf = compileCheck(Acknowledgement);

const FIELDS = 'ok requestId sessionId platform action status acceptedAt completedAt durationMs'.split(' ');

/** Checks of the `result` of each completed action; the other actions have none. */
const RESULTS = new Map(
  Object.values<AnyAction>(ACTIONS).flatMap(({ name, result }) =>
    result ? [[name, compileCheck(result as object as TSchema)] as const] : [],
  ),
);

const sorted = (names: readonly string[]): readonly string[] => [...names].sort();

/** Throws unless the answer has exactly the shape that every answer to `request` must have, on success or failure. */
export function assertWellFormed(
  { acknowledgement, httpStatus }: Answer,
  request: Request,
  session: SessionRecord,
): void {
  const { ok, status, error, result } = acknowledgement;
  assert.equal(faultOf(acknowledgement), undefined, 'the acknowledgement fits its schema');
  const { requestId, action } = request;
  const { platform, id: sessionId } = session;
  const said = { ...acknowledgement, requestId, action, sessionId, platform };
  assert.deepEqual(acknowledgement, said, 'the acknowledgement names its request, session and platform');
  assert.equal(ok, status === 'completed');
  const elapsedMs = Date.parse(acknowledgement.completedAt) - Date.parse(acknowledgement.acceptedAt);
  assert.equal(elapsedMs, acknowledgement.durationMs, 'the times agree with each other');
  const outcome = [...(result ? ['result'] : []), ...(ok ? [] : ['error'])];
  assert.deepEqual(sorted(Object.keys(acknowledgement)), sorted([...FIELDS, ...outcome]));
  if (ok) {
    assert.equal(result !== undefined, RESULTS.has(action), `whether ${action} has a result`);
    assert.equal(RESULTS.get(action)?.(result), undefined, `the result of ${action}`);
  } else {
    const known = ERRORS[error?.code as ErrorCode];
    assert.equal(error?.retryable, known.retryable);
    if (httpStatus !== undefined) assert.equal(httpStatus, known.http);
  }
  if (ok && httpStatus !== undefined) assert.equal(httpStatus, 200);
}
