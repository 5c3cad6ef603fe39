import { ServiceError } from '@runcloud/protocol/terms';

/** The error for a caller when the storage fails; the request can be repeated after a second. */
export function unavailable(message?: string): ServiceError {
  return new ServiceError('store_unavailable', message, { retryAfterSeconds: 1 });
}
