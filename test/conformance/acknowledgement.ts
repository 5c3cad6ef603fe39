import assert from 'node:assert/strict';
import { Acknowledgement, ERRORS, type ErrorCode, type SessionRecord } from '@runcloud/protocol';
import { compileCheck } from '../../protocol/fault.ts';
import type { Answer, Request } from './transport.ts';

const faultOf = compileCheck(Acknowledgement);

const FIELDS = 'ok requestId sessionId platform action status acceptedAt completedAt durationMs'.split(' ');

/** The fields of each action's `result` when it completed; the actions that are not here have none. */
const RESULT_FIELDS: Readonly<Record<string, readonly string[]>> = {
  tap: ['pointCount'],
  swipe: ['pointCount', 'durationMs'],
  gesture: ['pointCount', 'dispatchedSteps'],
  typeText: ['characterCount'],
  pressKey: ['key', 'modifiers', 'durationMs'],
  pressButton: ['button', 'durationMs'],
  rotate: ['orientation'],
  scroll: ['deltaX', 'deltaY'],
  setRenderDebug: ['option', 'enabled'],
};

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
    const fields = RESULT_FIELDS[action];
    assert.deepEqual(result && sorted(Object.keys(result)), fields && sorted(fields), `the result of ${action}`);
  } else {
    const known = ERRORS[error?.code as ErrorCode];
    assert.equal(error?.retryable, known.retryable);
    if (httpStatus !== undefined) assert.equal(httpStatus, known.http);
  }
  if (ok && httpStatus !== undefined) assert.equal(httpStatus, 200);
}
