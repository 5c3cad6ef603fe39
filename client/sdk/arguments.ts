import type { TSchema } from '@sinclair/typebox';
import { REQUEST_ID_PATTERN } from '../../protocol/actions/define-action.ts';
import { ACTION_NAMES, ACTIONS, type InteractionRequest as CheckedInteraction } from '../../protocol/actions/index.ts';
import { checkInteraction } from '../../protocol/actions/request.ts';
import { checkWriteClipboard, WriteClipboard, writtenTextFault } from '../../protocol/clipboard.ts';
import { compileCheck } from '../../protocol/compile-check.ts';
import { CreateKey as CreateKeySchema, checkCreateKey } from '../../protocol/create-key.ts';
import { CreateSession as CreateSessionSchema, checkCreateSession } from '../../protocol/create-session.ts';
import {
  CreateViewerLink as CreateViewerLinkSchema,
  checkCreateViewerLink,
} from '../../protocol/create-viewer-link.ts';
import type { Checked, Fault } from '../../protocol/fault.ts';
import { IdempotencyKey } from '../../protocol/idempotency-key.ts';
import { newId } from '../../protocol/ids.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { ListQuery } from '../../protocol/listing.ts';
import { PLATFORMS } from '../../protocol/platforms.ts';
import { RecordingListQuery, SessionListQuery } from '../../protocol/queries.ts';
import { CreateSnapshot, checkCreateSnapshot } from '../../protocol/snapshot.ts';
import { argumentError } from './argument-fault.ts';
import type { Query } from './pages.ts';
import type { CreateKeyRequest, CreateSession, CreateViewerLink, Platform } from './types.ts';

/** Checks arguments by the rules of the contract before anything is sent. Throws `TypeError` or `RangeError`. */

/** A copy without `undefined` fields: an absent option and an `undefined` one mean the same. */
export function defined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T;
}

/** @param request not yet checked: the caller may use plain JavaScript */
export function checkedInteraction(request: unknown): CheckedInteraction {
  if (typeof request !== 'object' || request === null) throw new TypeError('The request must be one flat object.');
  const body: Readonly<Record<string, unknown>> = defined(request as Record<string, unknown>);
  const checked = checkInteraction(body, () => newId('req'));
  if (checked.ok) return checked.value;
  const action = ACTION_NAMES.find((name) => name === body.action);
  if (action) throw argumentError(checked.fault, body, ACTIONS[action].schema);
  throw argumentError(checked.fault, body, { type: 'object', properties: { action: { type: 'string' } } });
}

/** A check of a request's body; the result leaves out absent fields. */
function bodyCheck<T>(check: (body: unknown) => Checked<unknown>, schema: TSchema): (request: T) => T {
  return (request) => {
    const body = typeof request === 'object' && request !== null ? defined(request) : request;
    const checked = check(body);
    if (checked.ok) return body;
    throw argumentError(checked.fault, body, schema);
  };
}

export const checkedSession = bodyCheck<CreateSession>(checkCreateSession, CreateSessionSchema);
export const checkedLink = bodyCheck<CreateViewerLink>(checkCreateViewerLink, CreateViewerLinkSchema);
export const checkedKeyRequest = bodyCheck<CreateKeyRequest>(checkCreateKey, CreateKeySchema);

/** The name of a snapshot. */
export const checkedSnapshotName = (name: unknown): string =>
  bodyCheck<{ name: string }>(checkCreateSnapshot, CreateSnapshot)({ name: name as string }).name;

/** A text for the clipboard. */
export function checkedWrittenText(text: unknown): string {
  const body = { text };
  const checked = checkWriteClipboard(body);
  const fault = checked.ok ? writtenTextFault(checked.value.text) : checked.fault;
  if (fault) throw argumentError(fault, body, WriteClipboard);
  return text as string;
}

/** A check of a list's query; the result leaves out absent fields. */
function queryCheck(schema: TSchema): (query: object) => Query {
  const check: (value: unknown) => Fault | undefined = compileCheck(schema);
  return (query) => {
    const asked = defined(query);
    const refused = check(asked);
    if (refused) throw argumentError(refused, asked, schema);
    return asked as Query;
  };
}

export const checkedListQuery = queryCheck(ListQuery);
export const checkedSessionListQuery = queryCheck(SessionListQuery);
export const checkedRecordingListQuery = queryCheck(RecordingListQuery);

const REQUEST_ID = new RegExp(REQUEST_ID_PATTERN);
const IDEMPOTENCY_KEY = new RegExp(IdempotencyKey.pattern ?? '');

function checkedText(name: string, value: unknown, fits: (text: string) => boolean, allowed: string): string {
  if (typeof value !== 'string') throw new TypeError(`"${name}" must be ${allowed}.`);
  if (!fits(value)) throw new RangeError(`"${name}" must be ${allowed}.`);
  return value;
}

export const checkedId = (name: string, value: unknown): string =>
  checkedText(name, value, (text) => text !== '' && text.length <= 128, 'an id');

/** The caller's request id, or a new one. */
export const checkedRequestId = (value: unknown): string =>
  value === undefined
    ? newId('req')
    : checkedText('requestId', value, (text) => REQUEST_ID.test(text), '1 to 128 letters, digits, ".", "_", ":", "-"');

/** The caller's idempotency key, or a new one: a call that is retried after a lost answer has one effect. */
export const checkedIdempotencyKey = (value: unknown): string =>
  value === undefined
    ? newId('req')
    : checkedText('idempotencyKey', value, (text) => IDEMPOTENCY_KEY.test(text), '1 to 200 printable characters');

export const checkedPlatform = (value: unknown): Platform =>
  checkedText(
    'platform',
    value,
    (text) => (PLATFORMS as readonly string[]).includes(text),
    'ios or android',
  ) as Platform;

export function checkedTimeoutMs(value: unknown): number {
  const { min, max, default: defaultMs } = LIMITS.interactionTimeoutMs;
  if (value === undefined) return defaultMs;
  if (typeof value !== 'number') throw new TypeError('"timeoutMs" must be a number of milliseconds.');
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new RangeError(`"timeoutMs" must be a whole number from ${min} to ${max}.`);
}

/** Checks how long a caller waits for an answer. */
export function checkedWaitMs(value: unknown, name = 'timeoutMs'): number {
  if (typeof value !== 'number') throw new TypeError(`"${name}" must be a number of milliseconds.`);
  if (value > 0) return value;
  throw new RangeError(`"${name}" must be more than 0 milliseconds.`);
}
