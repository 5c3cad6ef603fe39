import type { Answer, JsonBody, Query, ROUTES, Route, RouteName, SessionRecord } from '@runcloud/protocol';
import { type ErrorCode, LIMITS, type Platform, ServiceError } from '@runcloud/protocol/terms';
import type { Static, TSchema } from '@sinclair/typebox';
import type { Principal } from '../account/authenticator.ts';
import type { Timestamp } from '../flow/timestamp.ts';
import type { RequestIds } from '../interaction/acknowledge.ts';
import type { LiveSession } from '../session/live-session.ts';
import type { HttpHead, HttpReply } from '../socket/http.ts';
import type { Payer } from './exchange.ts';
import type { FailureReply, JsonReply } from './reply.ts';

/** The input and the answer of a handler, derived from the types of its route. */

type ParameterOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterOf<Rest>
  : never;

/** The path's parameters, undecoded. */
type ParamsOf<Path extends string> = {
  readonly [Name in ParameterOf<Path>]: Name extends 'platform' ? Platform : string;
};

interface AnyCall<Path extends string> {
  readonly head: HttpHead;
  readonly params: ParamsOf<Path>;
  readonly received: Timestamp;
  /** Fields of the request for the envelope of a failure; handlers add to them. */
  readonly named: { -readonly [Field in keyof RequestIds]: RequestIds[Field] };
}

/** An unauthenticated caller. */
interface UnauthenticatedCaller {
  /** IP address of the caller. */
  readonly address: string;
  /** The key for rate limits: the IPv4 address, or the /64 of an IPv6 address. */
  readonly holder: string;
}

type CallerOf<R extends Route> = R extends { credential: 'key' | 'keyOrSessionToken' }
  ? { readonly owner: Principal; readonly payer: Payer }
  : R extends { credential: 'viewerToken' | 'reference' }
    ? { /** The signed text; empty where there is none. */ readonly secret: string }
    : UnauthenticatedCaller;

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

/** A call before its session is looked up. */
export type EarlyCallOf<R extends Route> = AnyCall<R['path']> & CallerOf<R>;
export type EarlyCallTo<Name extends RouteName> = EarlyCallOf<(typeof ROUTES)[Name]>;

/** The call of a route, by the route's name. */
export type CallTo<Name extends RouteName> = CallOf<(typeof ROUTES)[Name]>;

type ReplyOf<Status, A> = A extends { schema: infer S extends TSchema }
  ? JsonReply<Status & number, Static<S>>
  : A extends Answer
    ? HttpReply
    : never;

/** The successful answers of a route's handler. */
export type AnswersOf<R extends Route> = {
  [Status in keyof R['answers']]: ReplyOf<Status, R['answers'][Status]>;
}[keyof R['answers']];

export type AnswerTo<Name extends RouteName> = AnswersOf<(typeof ROUTES)[Name]>;

export type Reply<R extends Route> = AnswersOf<R> | FailureReply | Promise<AnswersOf<R> | FailureReply>;

/** The generator that the handler of a list returns: it yields after each piece of work and returns the answer. */
export type Pieces<A extends HttpReply = HttpReply> = Generator<void, A>;

/** Whether a route is a list, whose answer is made in pieces. */
export type IsList<R extends Route> = R extends { query: Query<infer T> }
  ? 'cursor' extends keyof T
    ? true
    : false
  : false;

const IDEMPOTENCY_KEY_MAX = LIMITS.idempotencyKeyCharacters.max;
const IDEMPOTENCY_KEY = new RegExp(`^[\\x20-\\x7e]{1,${IDEMPOTENCY_KEY_MAX}}$`);

/** The caller's `Idempotency-Key`, if any. Throws `code` if it is malformed. */
export function readIdempotencyKey(
  { head }: { readonly head: Pick<HttpHead, 'header'> },
  code: ErrorCode,
): string | undefined {
  const key = head.header('idempotency-key');
  if (key === undefined || IDEMPOTENCY_KEY.test(key)) return key;
  const allowed = `1 to ${IDEMPOTENCY_KEY_MAX} printable characters`;
  throw new ServiceError(code, `The header "Idempotency-Key" must be ${allowed}.`);
}
