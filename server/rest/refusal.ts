import type { Clock } from '../flow/clock.ts';
import { type Timestamp, timestampNow } from '../flow/timestamp.ts';
import type { HttpHead, HttpReply } from '../socket/http.ts';
import { failureReply, toServiceError } from './reply.ts';
import { match } from './router.ts';
import { callIdOf, targetOf } from './target.ts';

/** The answer to the opening of a control socket that is refused. @param requestId what the opening is known by */
export function openingRefused(
  head: HttpHead,
  error: unknown,
  clock: Clock,
  received: Timestamp = timestampNow(clock),
  requestId: string = callIdOf(head),
): HttpReply {
  const named = { ...targetOf(match('GET', head.path), head), requestId };
  return { ...failureReply(toServiceError(error), named, received, clock), requestId };
}
