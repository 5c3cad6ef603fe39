import type { Acknowledgement, ErrorBody, Route } from '@runcloud/protocol';
import { ERRORS, ServiceError } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import { isStorageError } from '../flow/storage-errors.ts';
import type { Timestamp } from '../flow/timestamp.ts';
import { type RequestIds, refuse } from '../interaction/acknowledge.ts';
import type { HttpReply } from '../socket/http.ts';

declare const BODY: unique symbol;
declare const FAILED: unique symbol;

/** A JSON answer; the type of its body exists only at compile time. */
export interface JsonReply<Status extends number, Body> extends HttpReply {
  readonly status: Status;
  readonly [BODY]?: Body;
}

/** The envelope of a failure. */
export interface FailureReply extends HttpReply {
  readonly [FAILED]: true;
}

/** Of any of these statuses. */
export type JsonReplies<Status, Body> = Status extends number ? JsonReply<Status, Body> : never;

export const JSON_HEADERS = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };

export function json<const Status extends number, Body extends object>(
  status: Status,
  body: Body,
  headers?: Readonly<Record<string, string>>,
): JsonReplies<Status, Body> {
  const reply: JsonReply<Status, Body> = {
    status,
    headers: headers ? { ...JSON_HEADERS, ...headers } : JSON_HEADERS,
    body: JSON.stringify(body),
  };
  return reply as JsonReplies<Status, Body>;
}

const failed = (reply: HttpReply): FailureReply => reply as FailureReply;

/** The HTTP status of an acknowledgement: that of its error code, or 200. */
export function acknowledgementReply(
  acknowledgement: Acknowledgement,
  headers?: Readonly<Record<string, string>>,
): JsonReply<200, Acknowledgement> | FailureReply {
  const { error } = acknowledgement;
  return error ? failed(json(statusOf(error), acknowledgement, headers)) : json(200, acknowledgement, headers);
}

const statusOf = ({ code }: ErrorBody): number => ERRORS[code].http;

/** Maps an error to the catalogue: a `ServiceError`, `store_unavailable` for a storage error, else `internal_error`. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (isStorageError(error)) return new ServiceError('store_unavailable', undefined, { retryAfterSeconds: 1 });
  return new ServiceError('internal_error');
}

/** The envelope of a failure, with the headers that belong to its status; or the form of its route. */
export function failureReply(
  error: ServiceError,
  named: RequestIds,
  received: Timestamp,
  clock: Clock,
  headers: Readonly<Record<string, string>> = {},
  form?: Route['failures'],
): FailureReply {
  const extra: Record<string, string> = { ...headers };
  if (error.retryAfterSeconds !== undefined) extra['Retry-After'] = String(error.retryAfterSeconds);
  if (error.http === 401) extra['WWW-Authenticate'] = 'Bearer';
  if (error.http === 426) extra.Upgrade = 'websocket';
  const told = error.toBody();
  return failed(json(error.http, form ? webDriverError(told) : refuse(named, told, received, clock), extra));
}

/** What a client of WebDriver shows of an error of the service. */
function webDriverError({ code, message, action }: ErrorBody) {
  const error = code === 'invalid_request' ? 'invalid argument' : 'unknown error';
  return {
    value: { error, message: action === undefined ? message : `${message} ${action}`, stacktrace: '', data: { code } },
  };
}
