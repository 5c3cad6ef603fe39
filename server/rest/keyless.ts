import { ServiceError } from '@runcloud/protocol/terms';
import type { RateLimiter } from '../account/rate-limiters.ts';

/** Takes what a call costs whose caller shows no key, or a wrong one. Throws `rate_limited`, with the time to wait. */
export function takeKeyless(rateLimiter: RateLimiter | undefined): void {
  if (!rateLimiter || rateLimiter.take()) return;
  const { retryAfterSeconds } = rateLimiter;
  throw new ServiceError('rate_limited', 'This address makes too many calls without a key.', { retryAfterSeconds });
}
