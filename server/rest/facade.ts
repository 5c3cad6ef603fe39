import { type ErrorCode, type RouteName, requestIdOf, ServiceError } from '@runcloud/protocol';
import type { Principal } from '../account/authenticator.ts';
import type { Clock } from '../flow/clock.ts';
import { type Stamp, stampNow } from '../flow/stamp.ts';
import type { TokenBucket } from '../flow/token-bucket.ts';
import type { BodyWanted, HttpApplication, HttpHead, HttpReply, StreamedBodyWanted } from '../socket/http.ts';
import type { Call } from './call.ts';
import { HANDLERS, type Reply, type Services } from './handlers.ts';
import { OPEN_HANDLERS } from './open-handlers.ts';
import { failureReply, toServiceError } from './reply.ts';
import { type Match, match, type Params } from './router.ts';
import { headerRequestId } from './screenshot.ts';

/** A call that needs no key. */
export interface PublicCall {
  readonly head: HttpHead;
  readonly params: Params;
}

export interface FacadeOptions {
  readonly clock: Clock;
  readonly services: Services;
  /** May throw a `ServiceError` that says why a credential does not count. */
  readonly authenticate: (head: HttpHead) => Principal | undefined;
  /** What a credential, or an address without one, may do; `undefined` when there is no limit. */
  readonly allowance: (holder: string) => TokenBucket | undefined;
  /** Health, readiness, metrics, the API document, the viewer page. */
  readonly publicRoutes: Readonly<Partial<Record<RouteName, (call: PublicCall) => Reply>>>;
  /** Answers a request for the control socket that is no upgrade. */
  readonly refuseUpgrade: (head: HttpHead) => HttpReply;
  readonly onAnswered: (route: string, status: number) => void;
  readonly onFault: (error: unknown) => void;
}

/** The failure's `action`, where the route stands for one (specification, sections 4.4 and 7.1). */
const ACTION_OF_ROUTE: Readonly<Partial<Record<RouteName, string>>> = { openUrl: 'open-url', screenshot: 'screenshot' };

const NO_BODY = new Uint8Array();

/**
 * REST as a facade over the services that the control socket uses too. It checks in one order: authentication, route,
 * session, validation, platform capability, duplicate, capacity.
 */
export class RestFacade implements HttpApplication {
  readonly #options: FacadeOptions;

  constructor(options: FacadeOptions) {
    this.#options = options;
  }

  begin(head: HttpHead): Reply | BodyWanted | StreamedBodyWanted {
    const received = stampNow(this.#options.clock);
    const found = match(head.method, head.path);
    const named: Call['named'] = {};
    const label = found.kind === 'route' ? found.route.path : found.kind;
    const refuse = (error: unknown) => this.#refuse(error, named, received, found, label);
    try {
      if (found.kind === 'route') {
        const publicRoute = this.#options.publicRoutes[found.name];
        if (publicRoute) return this.#answer(publicRoute({ head, params: found.params }), label, refuse);
      }
      // The control socket has credentials of its own: a viewer's token is as good as a key there.
      if (found.kind === 'route' && found.name === 'control') return this.#options.refuseUpgrade(head);
      const open = found.kind === 'route' ? OPEN_HANDLERS[found.name] : undefined;
      if (open) {
        this.#takeAllowance(`address ${head.address}`);
        return this.#receive(open({ head, address: head.address }, this.#options.services), label, refuse);
      }
      const owner = this.#authenticate(head);
      if (found.kind === 'unknown') throw new ServiceError('not_found');
      nameTarget(named, found, head);
      if (found.kind === 'wrong method') throw new ServiceError('method_not_allowed');
      const handler = HANDLERS[found.name];
      if (!handler) throw new ServiceError('not_found');
      const call: Call = { head, owner, params: found.params, received, named };
      const { services } = this.#options;
      const refuseBody = (code: ErrorCode) => ({ ...refuse(new ServiceError(code)), close: true });
      if ('prepareStream' in handler) {
        const stream = handler.prepareStream(call, services);
        return {
          bodyBytesMax: handler.bodyBytesMax,
          stream: async (body) => this.#answer(stream(body), label, refuse),
          refuse: refuseBody,
        };
      }
      const run = handler.prepare(call, services);
      if (!handler.takesBody) return this.#answer(run(NO_BODY), label, refuse);
      return this.#receive(run, label, refuse);
    } catch (error) {
      return refuse(error);
    }
  }

  #authenticate(head: HttpHead): Principal {
    const principal = this.#options.authenticate(head);
    if (!principal) throw new ServiceError('authentication_required');
    this.#takeAllowance(principal.keyId);
    return principal;
  }

  #takeAllowance(holder: string): void {
    const bucket = this.#options.allowance(holder);
    if (!bucket || bucket.take()) return;
    const { retryAfterSeconds } = bucket;
    throw new ServiceError('rate_limited', 'This key makes too many REST calls.', { retryAfterSeconds });
  }

  #receive(run: (body: Uint8Array) => Reply, label: string, refuse: (error: unknown) => HttpReply): BodyWanted {
    return {
      receive: (body) => {
        try {
          return this.#answer(run(body), label, refuse);
        } catch (error) {
          return refuse(error);
        }
      },
      refuse: (code) => ({ ...refuse(new ServiceError(code)), close: true }),
    };
  }

  #answer(reply: Reply, label: string, refuse: (error: unknown) => HttpReply): Reply {
    if (reply instanceof Promise) return reply.then((settled) => this.#count(settled, label), refuse);
    return this.#count(reply, label);
  }

  #count(reply: HttpReply, label: string): HttpReply {
    this.#options.onAnswered(label, reply.status);
    return reply;
  }

  #refuse(error: unknown, named: Call['named'], received: Stamp, found: Match, label: string): HttpReply {
    const failure = toServiceError(error);
    if (failure.code === 'internal_error') this.#options.onFault(error);
    const action = found.kind === 'route' ? ACTION_OF_ROUTE[found.name] : undefined;
    const headers: Record<string, string> = {};
    if (found.kind === 'wrong method' && failure.http === 405) headers.Allow = found.allow.join(', ');
    const envelope = action === undefined ? named : { ...named, action };
    return this.#count(failureReply(failure, envelope, received, this.#options.clock, headers), label);
  }
}

/** What address and headers name goes into the envelope, for whichever reason the call fails. */
function nameTarget(named: Call['named'], found: Exclude<Match, { kind: 'unknown' }>, head: HttpHead): void {
  const { platform, sessionId } = found.params;
  if (platform === 'ios' || platform === 'android') named.platform = platform;
  if (sessionId !== undefined) named.sessionId = shown(sessionId);
  const isScreenshot = found.kind === 'route' && found.name === 'screenshot';
  const requestId = isScreenshot ? headerRequestId(head) : requestIdOf(found.params);
  if (requestId !== undefined) named.requestId = requestId;
}

/** A stranger's text, shortened and without what could break a line. */
const shown = (text: string): string => text.slice(0, 128).replace(/[^\x20-\x7e]/g, '?');
