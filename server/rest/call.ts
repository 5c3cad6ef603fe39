import { type ErrorCode, LIMITS, newId, ServiceError } from '@runcloud/protocol/terms';
import type { Principal } from '../account/authenticator.ts';
import type { Timestamp } from '../flow/timestamp.ts';
import type { RequestIds } from '../interaction/acknowledge.ts';
import type { HttpHead } from '../socket/http.ts';
import type { Params } from './router.ts';
import { readJson } from './strict-json.ts';

/** One authenticated REST call, as its route sees it. */
export interface Call {
  readonly head: HttpHead;
  readonly owner: Principal;
  readonly params: Params;
  readonly received: Timestamp;
  /** What the failure envelope will say of the request; routes add what they learn. */
  readonly named: { -readonly [Field in keyof RequestIds]: RequestIds[Field] };
}

/** A call of somebody who has no credential yet. */
export interface OpenCall {
  readonly head: HttpHead;
  /** Where it came from. */
  readonly address: string;
  /** Whose requests are counted together with it: the address, or the network that one subscriber has. */
  readonly holder: string;
}

const JSON_TYPE = 'application/json';

/** The JSON body of a call. Throws `unsupported_media_type`, or `code` when the body is not JSON. */
export function readBody(call: Pick<Call, 'head'>, body: Uint8Array, code: ErrorCode): unknown {
  const type = call.head.header('content-type');
  // Most callers write it in this very way, and are spared the taking apart.
  const mediaType = type === JSON_TYPE ? type : type?.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType !== JSON_TYPE) throw new ServiceError('unsupported_media_type');
  const read = readJson(body);
  if (!read.ok) throw new ServiceError(code, `${read.reason}.`);
  return read.value;
}

const IDEMPOTENCY_KEY_MAX = LIMITS.idempotencyKeyCharacters.max;
const IDEMPOTENCY_KEY = new RegExp(`^[\\x20-\\x7e]{1,${IDEMPOTENCY_KEY_MAX}}$`);

/** The caller's `Idempotency-Key`, if it sent one. Throws `code` for one that is not allowed. */
export function readIdempotencyKey({ head }: Pick<Call, 'head'>, code: ErrorCode): string | undefined {
  const key = head.header('idempotency-key');
  if (key === undefined || IDEMPOTENCY_KEY.test(key)) return key;
  const allowed = `1 to ${IDEMPOTENCY_KEY_MAX} printable characters`;
  throw new ServiceError(code, `The header "Idempotency-Key" must be ${allowed}.`);
}

export const newRequestId = (): string => newId('req');
