import type { Acknowledgement, ErrorBody } from '@runcloud/protocol';
import { ERRORS, type ErrorCode, ServiceError } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import { isStorageError } from '../flow/storage-errors.ts';
import type { Timestamp } from '../flow/timestamp.ts';
import { type RequestIds, refuse } from '../interaction/acknowledge.ts';
import type { HttpReply } from '../socket/http.ts';

export const JSON_HEADERS = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };

export function json(status: number, body: object, headers?: Readonly<Record<string, string>>): HttpReply {
  return {
    status,
    headers: headers ? { ...JSON_HEADERS, ...headers } : JSON_HEADERS,
    body: JSON.stringify(body),
  };
}

/** The HTTP status of an acknowledgement: that of its error code, or 200. */
export function acknowledgementReply(
  acknowledgement: Acknowledgement,
  headers?: Readonly<Record<string, string>>,
): HttpReply {
  return json(statusOf(acknowledgement.error), acknowledgement, headers);
}

function statusOf(error: ErrorBody | undefined): number {
  return error ? (ERRORS[error.code as ErrorCode]?.http ?? 500) : 200;
}

/** What a failure says: the error of the catalogue, trouble with the storage, or `internal_error` for a fault of our own. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (isStorageError(error)) return new ServiceError('store_unavailable', undefined, { retryAfterSeconds: 1 });
  return new ServiceError('internal_error');
}

/** The envelope of a failure, with the headers that belong to its status. */
export function failureReply(
  error: ServiceError,
  named: RequestIds,
  received: Timestamp,
  clock: Clock,
  headers: Readonly<Record<string, string>> = {},
): HttpReply {
  const extra: Record<string, string> = { ...headers };
  if (error.retryAfterSeconds !== undefined) extra['Retry-After'] = String(error.retryAfterSeconds);
  if (error.http === 401) extra['WWW-Authenticate'] = 'Bearer';
  if (error.http === 426) extra.Upgrade = 'websocket';
  return json(error.http, refuse(named, error.toBody(), received, clock), extra);
}
