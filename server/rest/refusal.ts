import type { ServiceError } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import { timestampNow } from '../flow/timestamp.ts';
import type { HttpHead, HttpReply } from '../socket/http.ts';
import { failureReply } from './reply.ts';
import { match } from './router.ts';
import { targetOf } from './target.ts';

/** The answer to a request that is refused before anything else is looked at. */
export const refusalOf = (head: HttpHead, error: ServiceError, clock: Clock): HttpReply =>
  failureReply(error, targetOf(match(head.method, head.path), head).named, timestampNow(clock), clock);
