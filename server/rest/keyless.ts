import { ServiceError } from '@runcloud/protocol/terms';
import type { Allowance } from '../account/allowances.ts';

/** Takes what a call costs whose caller shows no key, or a wrong one. Throws `rate_limited`, with the time to wait. */
export function takeKeyless(allowance: Allowance | undefined): void {
  if (!allowance || allowance.take()) return;
  const { retryAfterSeconds } = allowance;
  throw new ServiceError('rate_limited', 'This address makes too many calls without a key.', { retryAfterSeconds });
}
