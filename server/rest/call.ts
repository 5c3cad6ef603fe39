import { type ErrorCode, newId, ServiceError } from '@runcloud/protocol';
import type { Principal } from '../account/authenticator.ts';
import type { Stamp } from '../flow/stamp.ts';
import type { Named } from '../interaction/acknowledge.ts';
import type { HttpHead } from '../socket/http.ts';
import type { Params } from './router.ts';
import { readJson } from './strict-json.ts';

/** One authenticated REST call, as its route sees it. */
export interface Call {
  readonly head: HttpHead;
  readonly owner: Principal;
  readonly params: Params;
  readonly received: Stamp;
  /** What the failure envelope will say of the request; routes add what they learn. */
  readonly named: { -readonly [Field in keyof Named]: Named[Field] };
}

/** A call of somebody who has no credential yet. */
export interface OpenCall {
  readonly head: HttpHead;
  /** Where it came from. */
  readonly address: string;
}

/** The JSON body of a call. Throws `unsupported_media_type`, or `code` when the body is not JSON. */
export function readBody(call: Pick<Call, 'head'>, body: Uint8Array, code: ErrorCode): unknown {
  const mediaType = call.head.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') throw new ServiceError('unsupported_media_type');
  const read = readJson(body);
  if (!read.ok) throw new ServiceError(code, `${read.reason}.`);
  return read.value;
}

export const newRequestId = (): string => newId('req');
