import { type ErrorCode, LIMITS, type Route, ServiceError } from '@runcloud/protocol';
import type { RateLimiter } from '../account/rate-limiters.ts';
import type { Clock } from '../flow/clock.ts';
import type { FairScheduler } from '../flow/fair-scheduler.ts';
import type { LateRefusals } from '../flow/late-refusals.ts';
import type { Running } from '../flow/storage-errors.ts';
import { type Timestamp, timestampNow } from '../flow/timestamp.ts';
import type { OnFault } from '../observe/log-ids.ts';
import { type BodyWanted, type HttpHead, type HttpReply, REQUEST_ID_HEADER, type TakeBody } from '../socket/http.ts';
import { identifyBody } from './body.ts';
import type { Pieces } from './call.ts';
import { failureReply, toServiceError } from './reply.ts';
import { type Match, match, needsKey } from './router.ts';
import { callIdOf, type Target, targetOf } from './target.ts';

type Reply = HttpReply | Promise<HttpReply>;

export interface ExchangeOptions {
  readonly clock: Clock;
  /** Runs a change of the store and resolves with its outcome once it is durable; see `Store.commit`. */
  readonly commit: <T>(task: () => T | Promise<T>, how: Running) => Promise<T>;
  /** Schedules the work of calls fairly between accounts. */
  readonly scheduler: FairScheduler;
  /** Holds back the refusals of what is too much. */
  readonly refusals: LateRefusals<HttpReply>;
  /** The answer to a browser that requests an unknown page. */
  readonly notFoundPage: HttpReply;
  /** Checks an answer against its route's declaration; absent if answers are not checked. */
  readonly answerFault?: ((route: Route | undefined, reply: HttpReply) => string | undefined) | undefined;
  readonly onAnswered: (route: string, status: number) => void;
  readonly onFault: OnFault;
}

/** One piece of an answer; the last one has the whole answer. */
interface Piece {
  readonly reply?: Reply;
}

const TOO_MANY_REQUESTS = 429;
/** What is wanted is taken by others, or by the caller itself: the same caller could ask again and again without end. */
const TAKEN: ErrorCode = 'simulator_capacity_unavailable';
/** A call costs as much of an account's share of a turn of the event loop as so many short messages. */
const SHORT_TASKS_OF_CALL = 16;
/** The same of a short one: more of them reach the device's thread together, which costs each less. */
const SHORT_TASKS_OF_SHORT_CALL = 4;

/** Whether its callers are charged as an account, or as guests of one. */
export const isOfAccount = ({ credential }: Route): boolean =>
  credential === 'key' || credential === 'keyOrSessionToken';

/** The account and the limiter that a call is charged to. */
export interface Payer {
  /** The account, whose time slice long work waits for. */
  readonly party: string;
  readonly rateLimiter: RateLimiter | undefined;
}

/** What the call itself was charged, before it was read. */
const CALL_TOKENS = 1;

/** Charges the time of a task to its payer's rate limiter. */
const spentOf = ({ rateLimiter }: Payer, paidTokens = 0) =>
  rateLimiter && ((ms: number) => rateLimiter.chargeWork(ms, paidTokens));

export const tooManyCalls = ({ retryAfterSeconds }: RateLimiter): ServiceError =>
  new ServiceError('rate_limited', 'This key makes too many REST calls.', { retryAfterSeconds });

const NO_BODY = new Uint8Array();

const wantsNoBody = (): never => {
  throw new Error('the call takes no body');
};

/** One request in the facade: every outcome becomes an answer and is counted in the metrics. */
export class Exchange implements BodyWanted {
  readonly found: Match;
  readonly received: Timestamp;
  /** Fields of the request for the envelope of a failure. */
  readonly named: Target;
  readonly #head: HttpHead;
  readonly #options: ExchangeOptions;
  #run: (body: Uint8Array) => Reply = wantsNoBody;
  #payer: Payer | undefined;
  #callId: string | undefined;

  constructor(head: HttpHead, options: ExchangeOptions) {
    this.#head = head;
    this.found = match(head.method, head.path);
    this.received = timestampNow(options.clock);
    this.named = targetOf(this.found, head);
    this.#options = options;
  }

  /** What the request is known by, to its caller and in the logs. */
  get requestId(): string {
    const { requestId } = this.named;
    if (requestId !== undefined) return requestId;
    this.#callId ??= callIdOf(this.#head);
    return this.#callId;
  }

  /** Continues with `run` once the body has arrived. */
  awaitBody(run: (body: Uint8Array) => Reply, payer: Payer): BodyWanted {
    this.#run = run;
    this.#payer = payer;
    return this;
  }

  /** Runs the handler of a route without a body. */
  carryOut(run: (body: Uint8Array) => Reply, payer: Payer): Reply {
    this.#run = run;
    return this.#inShare(payer, NO_BODY);
  }

  /** Runs the handler. If it changes the store, the answer waits until the change is on disk. */
  #handle(body: Uint8Array): Reply {
    const run = this.#run;
    const writes = this.found.kind === 'route' ? this.found.route.writes : undefined;
    if (writes === undefined || writes === 'none') return this.answer(run(body));
    // The bytes belong to the library and are copied, since the body may have to wait.
    const kept = new Uint8Array(body);
    return this.answer(this.#options.commit(() => run(kept), writes));
  }

  receive(body: Uint8Array): Reply {
    const bytes = body.byteLength;
    const payer = this.#payer;
    if (!payer) return this.#take(body);
    if (bytes <= LIMITS.lightBytes) return this.#inShare(payer, body);
    const { rateLimiter } = payer;
    if (rateLimiter && !rateLimiter.takeBytes(bytes)) return this.refuseCall(tooManyCalls(rateLimiter));
    const copy = body.slice();
    return this.#inTurn(payer, bytes, () => this.#take(copy));
  }

  /** Makes an answer of many pieces, each in a time slice of its account; the first one now if nothing else waits. */
  makeInTurn(pieces: Pieces, payer: Payer): Reply {
    const { scheduler } = this.#options;
    const make = () => this.#makePiece(pieces);
    const first = scheduler.runIfIdle(make, spentOf(payer));
    return first?.reply ?? new Promise((resolve) => this.#makeRest(make, payer, resolve));
  }

  #makeRest(make: () => Piece, payer: Payer, resolve: (reply: Reply) => void): void {
    const piece = () => {
      const { reply } = make();
      if (reply) resolve(reply);
      else this.#makeRest(make, payer, resolve);
    };
    const queued = this.#options.scheduler.add(payer.party, 0, piece, spentOf(payer));
    if (!queued) resolve(this.#refuseQueue());
  }

  #makePiece(pieces: Pieces): Piece {
    try {
      const { done, value } = pieces.next();
      return done ? { reply: this.answer(value) } : {};
    } catch (error) {
      return { reply: this.refuseCall(error) };
    }
  }

  /**
   * Handles a short call now, if its account still has a share of this turn of the event loop; otherwise in a time slice of
   * its account. Those who have no account are bounded by the rates of their networks.
   */
  #inShare(payer: Payer, body: Uint8Array): Reply {
    if (!this.#isOfAccount) return this.#take(body);
    const { scheduler, clock } = this.#options;
    const spent = spentOf(payer, CALL_TOKENS);
    const { found } = this;
    const isShort = found.kind === 'route' && found.route.isShort;
    const tasks = isShort ? SHORT_TASKS_OF_SHORT_CALL : SHORT_TASKS_OF_CALL;
    if (!scheduler.mayRunNow(scheduler.budgetOf(payer.party), tasks)) {
      const copy = body.slice();
      return new Promise((resolve) => {
        const queued = scheduler.addShort(payer.party, copy.byteLength, () => resolve(this.#take(copy)), spent);
        if (!queued) resolve(this.#refuseQueue());
      });
    }
    const startMs = clock.monotonicMs();
    const reply = this.#take(body);
    spent?.(clock.monotonicMs() - startMs);
    return reply;
  }

  /** Waits for a time slice of the account. */
  #inTurn(payer: Payer, bytes: number, task: () => Reply): Promise<HttpReply> {
    return new Promise((resolve) => {
      const queued = this.#options.scheduler.add(payer.party, bytes, () => resolve(task()), spentOf(payer));
      if (!queued) resolve(this.#refuseQueue());
    });
  }

  get #isOfAccount(): boolean {
    return this.found.kind === 'route' && isOfAccount(this.found.route);
  }

  #refuseQueue(): Reply {
    const sentence = 'Too many long calls of this account are waiting.';
    return this.refuseCall(new ServiceError('rate_limited', sentence, { retryAfterSeconds: 1 }));
  }

  #take(body: Uint8Array): Reply {
    try {
      return this.#handle(body);
    } catch (error) {
      return this.refuseCall(error);
    }
  }

  /** Starts reading a streamed body, unless `admit` throws. */
  letIn(admit: () => TakeBody, writes: boolean): Reply | TakeBody {
    try {
      const take = admit();
      // An admitted body must be consumed, even after a failure.
      return async (body) => this.answer(writes ? this.#options.commit(() => take(body), 'at once') : take(body));
    } catch (error) {
      return this.refuseCall(error);
    }
  }

  /** The answer to a body that is refused for its length or framing. */
  refuse(code: ErrorCode): HttpReply {
    return { ...this.fail(new ServiceError(code)), close: true };
  }

  answer(reply: Reply): Reply {
    if (!(reply instanceof Promise)) return this.#delayExcess(this.#count(reply));
    return reply.then(
      (settled) => this.#delayExcess(this.#count(settled)),
      (error) => this.refuseCall(error),
    );
  }

  /**
   * The answer of another process, which has checked it and delayed an excess.
   *
   * @param body what was sent, as far as it may name the request
   */
  pass(answer: Promise<HttpReply>, body?: Uint8Array): Promise<HttpReply> {
    const { found } = this;
    return answer.then(
      (reply) => {
        this.#options.onAnswered(found.kind === 'route' ? found.route.path : found.kind, reply.status);
        return reply.headers?.[REQUEST_ID_HEADER] === undefined ? this.#withId(reply) : reply;
      },
      (error) => {
        if (body) identifyBody(found, body, this.named);
        return this.refuseCall(error);
      },
    );
  }

  /** Like `fail`, with the delay of an excess. */
  refuseCall(error: unknown): Reply {
    const code = error instanceof ServiceError ? error.code : undefined;
    return this.#delayExcess(this.fail(error), code);
  }

  /** Delays every 429, and the refusals of what is taken: otherwise one that asks again at once asks thousands of times a second. */
  #delayExcess(reply: HttpReply, code?: ErrorCode): Reply {
    return reply.status === TOO_MANY_REQUESTS || code === TAKEN ? this.#options.refusals.hold(reply) : reply;
  }

  fail(error: unknown): HttpReply {
    const { clock, notFoundPage, onFault } = this.#options;
    const { found, named } = this;
    named.requestId = this.requestId;
    const failure = toServiceError(error);
    if (failure !== error) onFault(error, named);
    if (failure.code === 'not_found' && this.#isForPerson()) return this.#count(notFoundPage);
    const headers: Record<string, string> = {};
    if (found.kind === 'wrong method' && failure.http === 405) headers.Allow = found.allow.join(', ');
    const form = found.kind === 'route' ? found.route.failures : undefined;
    return this.#count(failureReply(failure, named, this.received, clock, headers, form));
  }

  /** The answer, or a failure if it does not match its route's declaration. */
  #checked(reply: HttpReply): HttpReply {
    const { answerFault } = this.#options;
    if (answerFault === undefined) return reply;
    const { notFoundPage, clock, onFault } = this.#options;
    const { found } = this;
    const fault =
      reply === notFoundPage ? undefined : answerFault(found.kind === 'route' ? found.route : undefined, reply);
    if (fault === undefined) return reply;
    const { method, path } = this.#head;
    onFault(new Error(`${method} ${path} is answered otherwise than declared: ${fault}`), {
      requestId: this.requestId,
    });
    return failureReply(new ServiceError('internal_error'), this.named, this.received, clock);
  }

  /** Whether a browser shows the answer to a user. Routes with a key are for programs. */
  #isForPerson(): boolean {
    return !needsKey(this.#head.path) && /\btext\/html\b/i.test(this.#head.header('accept') ?? '');
  }

  #count(answer: HttpReply): HttpReply {
    const { found } = this;
    const reply = this.#checked(answer);
    this.#options.onAnswered(found.kind === 'route' ? found.route.path : found.kind, reply.status);
    return this.#withId(reply);
  }

  /** All fields, by name: spreading the answer takes fifteen times as long. */
  #withId({ status, headers, body, bodyBytes, file, stream, close }: HttpReply): {
    readonly [Field in keyof Required<HttpReply>]: HttpReply[Field];
  } {
    return { status, headers, requestId: this.requestId, body, bodyBytes, file, stream, close };
  }
}
