import { ServiceError } from '@runcloud/protocol/terms';

/** What trouble with the storage is to a caller: it may repeat the request after a moment. */
export function unavailable(message?: string): ServiceError {
  return new ServiceError('store_unavailable', message, { retryAfterSeconds: 1 });
}
