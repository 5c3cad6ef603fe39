import type { LineLevel } from '../observe/line-log.ts';
import type { LogIds } from '../observe/log-ids.ts';
import { match } from '../rest/router.ts';
import { targetOf } from '../rest/target.ts';
import type { OpenHead } from './messages.ts';

/** The part of a call's head that its lines in the logs of both sides are made of. */
export type CallHead = Pick<OpenHead, 'kind' | 'requestId' | 'method' | 'path'>;

/** What the lines of a call have in common on both sides. Its path is told as its route, since names of an account may stand in it. */
export interface CallFields extends LogIds {
  readonly requestId: string;
  readonly call: string;
}

const NO_HEADERS = { header: () => undefined };
const FAILED = 500;

export function fieldsOf({ kind, requestId, method, path }: CallHead): CallFields {
  if (kind !== 'http' && kind !== 'socket') return { requestId, call: kind };
  const found = match(method, path);
  if (found.kind !== 'route') return { requestId, call: found.kind };
  const { sessionId } = targetOf(found, NO_HEADERS);
  const { recordingId } = found.params;
  return {
    requestId,
    call: `${method} ${found.route.path}`,
    ...(sessionId !== undefined && { sessionId }),
    ...(recordingId !== undefined && { recordingId }),
  };
}

/** How much an answer matters: a failure of the service's, a change of what is kept, or one call of very many. */
export function levelOf({ kind, method, path }: CallHead, status: number): LineLevel {
  if (status >= FAILED) return 'warn';
  if (kind !== 'http' || method === 'GET') return 'debug';
  const found = match(method, path);
  return found.kind === 'route' && (found.route.writes ?? 'none') !== 'none' ? 'info' : 'debug';
}
