import type { Answer, JsonBody, Query, ROUTES, Route, RouteName, SessionRecord } from '@runcloud/protocol';
import { type ErrorCode, LIMITS, type Platform, ServiceError } from '@runcloud/protocol/terms';
import type { Static, TSchema } from '@sinclair/typebox';
import type { Principal } from '../account/authenticator.ts';
import type { Timestamp } from '../flow/timestamp.ts';
import type { RequestIds } from '../interaction/acknowledge.ts';
import type { LiveSession } from '../session/live-session.ts';
import type { HttpHead, HttpReply } from '../socket/http.ts';
import type { FailureReply, JsonReply } from './reply.ts';

/** What a handler is given follows from the facts of its route, and so does what it may answer. */

type ParameterOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterOf<Rest>
  : never;

/** The path's parameters, byte for byte as they came. */
type ParamsOf<Path extends string> = {
  readonly [Name in ParameterOf<Path>]: Name extends 'platform' ? Platform : string;
};

interface AnyCall<Path extends string> {
  readonly head: HttpHead;
  readonly params: ParamsOf<Path>;
  readonly received: Timestamp;
  /** What the failure envelope will say of the request; routes add what they learn. */
  readonly named: { -readonly [Field in keyof RequestIds]: RequestIds[Field] };
}

/** Somebody who has no credential yet. */
interface Stranger {
  /** Where the call came from. */
  readonly address: string;
  /** Whose requests are counted together with it: the address, or the network that one subscriber has. */
  readonly holder: string;
}

type CallerOf<R extends Route> = R extends { credential: 'key' }
  ? { readonly owner: Principal }
  : R extends { credential: 'viewerToken' | 'reference' }
    ? { /** The signed text; empty where there is none. */ readonly secret: string }
    : Stranger;

type SessionOf<R extends Route> = R extends { role: 'activeSession' | 'leasedSession' }
  ? { readonly session: LiveSession }
  : R extends { role: 'session' }
    ? { readonly session: SessionRecord }
    : unknown;

type BodyOf<R extends Route> = R extends { body: JsonBody<infer T> }
  ? { readonly body: T }
  : R extends { body: { kind: 'form' } }
    ? { readonly body: Uint8Array }
    : unknown;

type QueryOf<R extends Route> = R extends { query: Query<infer T> } ? { readonly query: T } : unknown;

export type CallOf<R extends Route> = AnyCall<R['path']> & CallerOf<R> & SessionOf<R> & BodyOf<R> & QueryOf<R>;

/** A call before its session is looked for. */
export type EarlyCallOf<R extends Route> = AnyCall<R['path']> & CallerOf<R>;
export type EarlyCallTo<Name extends RouteName> = EarlyCallOf<(typeof ROUTES)[Name]>;

/** A call of the route of this name. */
export type CallTo<Name extends RouteName> = CallOf<(typeof ROUTES)[Name]>;

type ReplyOf<Status, A> = A extends { schema: infer S extends TSchema }
  ? JsonReply<Status & number, Static<S>>
  : A extends Answer
    ? HttpReply
    : never;

/** What a handler of the route may answer, beside failures. */
export type AnswersOf<R extends Route> = {
  [Status in keyof R['answers']]: ReplyOf<Status, R['answers'][Status]>;
}[keyof R['answers']];

export type AnswerTo<Name extends RouteName> = AnswersOf<(typeof ROUTES)[Name]>;

export type Reply<R extends Route> = AnswersOf<R> | FailureReply | Promise<AnswersOf<R> | FailureReply>;

const IDEMPOTENCY_KEY_MAX = LIMITS.idempotencyKeyCharacters.max;
const IDEMPOTENCY_KEY = new RegExp(`^[\\x20-\\x7e]{1,${IDEMPOTENCY_KEY_MAX}}$`);

/** The caller's `Idempotency-Key`, if it sent one. Throws `code` for one that is not allowed. */
export function readIdempotencyKey(
  { head }: { readonly head: Pick<HttpHead, 'header'> },
  code: ErrorCode,
): string | undefined {
  const key = head.header('idempotency-key');
  if (key === undefined || IDEMPOTENCY_KEY.test(key)) return key;
  const allowed = `1 to ${IDEMPOTENCY_KEY_MAX} printable characters`;
  throw new ServiceError(code, `The header "Idempotency-Key" must be ${allowed}.`);
}
