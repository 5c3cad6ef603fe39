import { type ErrorCode, type RouteName, requestIdOf, ServiceError } from '@runcloud/protocol';
import type { Clock } from '../flow/clock.ts';
import { type Stamp, stampNow } from '../flow/stamp.ts';
import type { BodyWanted, HttpHead, HttpReply, TakeBody } from '../socket/http.ts';
import type { Call } from './call.ts';
import type { Reply } from './handlers.ts';
import { failureReply, toServiceError } from './reply.ts';
import type { Match } from './router.ts';
import { headerRequestId } from './screenshot.ts';

export interface ExchangeOptions {
  readonly clock: Clock;
  readonly onAnswered: (route: string, status: number) => void;
  readonly onFault: (error: unknown) => void;
}

/** The failure's `action`, where the route stands for one (specification, sections 4.4 and 7.1). */
const ACTION_OF_ROUTE: Readonly<Partial<Record<RouteName, string>>> = { openUrl: 'open-url', screenshot: 'screenshot' };

const wantsNoBody = (): never => {
  throw new Error('the call takes no body');
};

/** One request on its way through the facade: whatever becomes of it is an answer, and is counted. */
export class Exchange implements BodyWanted {
  readonly found: Match;
  readonly received: Stamp;
  /** What the envelope of a failure says of the request. */
  readonly named: Call['named'] = {};
  readonly #options: ExchangeOptions;
  #run: (body: Uint8Array) => Reply = wantsNoBody;

  constructor(found: Match, options: ExchangeOptions) {
    this.found = found;
    this.received = stampNow(options.clock);
    this.#options = options;
  }

  /** What address and headers name goes into the envelope, for whichever reason the call fails. */
  nameTarget({ params }: Exclude<Match, { kind: 'unknown' }>, head: HttpHead): void {
    const { platform, sessionId } = params;
    if (platform === 'ios' || platform === 'android') this.named.platform = platform;
    if (sessionId !== undefined) this.named.sessionId = shown(sessionId);
    const isScreenshot = this.found.kind === 'route' && this.found.name === 'screenshot';
    const requestId = isScreenshot ? headerRequestId(head) : requestIdOf(params);
    if (requestId !== undefined) this.named.requestId = requestId;
  }

  /** The rest is up to `run`, once the body is there. */
  awaitBody(run: (body: Uint8Array) => Reply): BodyWanted {
    this.#run = run;
    return this;
  }

  receive(body: Uint8Array): Reply {
    try {
      return this.answer(this.#run(body));
    } catch (error) {
      return this.fail(error);
    }
  }

  /** Lets a body in that is taken in pieces, where `admit` does not throw. */
  letIn(admit: () => TakeBody): HttpReply | TakeBody {
    try {
      const take = admit();
      return async (body) => this.answer(take(body));
    } catch (error) {
      return this.fail(error);
    }
  }

  /** The answer to a body that does not come in an acceptable way. */
  refuse(code: ErrorCode): HttpReply {
    return { ...this.fail(new ServiceError(code)), close: true };
  }

  answer(reply: Reply): Reply {
    if (!(reply instanceof Promise)) return this.#count(reply);
    return reply.then(
      (settled) => this.#count(settled),
      (error) => this.fail(error),
    );
  }

  fail(error: unknown): HttpReply {
    const { clock, onFault } = this.#options;
    const { found, named } = this;
    const failure = toServiceError(error);
    if (failure.code === 'internal_error') onFault(error);
    const action = found.kind === 'route' ? ACTION_OF_ROUTE[found.name] : undefined;
    const headers: Record<string, string> = {};
    if (found.kind === 'wrong method' && failure.http === 405) headers.Allow = found.allow.join(', ');
    const envelope = action === undefined ? named : { ...named, action };
    return this.#count(failureReply(failure, envelope, this.received, clock, headers));
  }

  #count(reply: HttpReply): HttpReply {
    const { found } = this;
    this.#options.onAnswered(found.kind === 'route' ? found.route.path : found.kind, reply.status);
    return reply;
  }
}

/** A stranger's text, shortened and without what could break a line. */
const shown = (text: string): string => text.slice(0, 128).replace(/[^\x20-\x7e]/g, '?');
