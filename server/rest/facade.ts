import { type ErrorCode, type Platform, type RouteName, ServiceError } from '@runcloud/protocol';
import type { Principal } from '../account/authenticator.ts';
import type { Clock } from '../flow/clock.ts';
import { type Stamp, stampNow } from '../flow/stamp.ts';
import type { TokenBucket } from '../flow/token-bucket.ts';
import type { LiveSession } from '../session/live-session.ts';
import type { SessionRegistry } from '../session/session-registry.ts';
import type { BodyWanted, HttpApplication, HttpHead, HttpReply } from '../socket/http.ts';
import type { Call } from './call.ts';
import { cancelInteraction, interact } from './interactions.ts';
import { failureReply, toServiceError } from './reply.ts';
import { type Match, match } from './router.ts';
import { screenshot } from './screenshot.ts';
import { createSession, deleteSession, getSession, listSessions } from './sessions.ts';

type Reply = HttpReply | Promise<HttpReply>;

export interface FacadeOptions {
  readonly clock: Clock;
  readonly registry: SessionRegistry;
  readonly authenticate: (authorization: string | undefined) => Principal | undefined;
  /** The key's allowance of REST calls; `undefined` when there is no limit. */
  readonly allowance: (keyId: string) => TokenBucket | undefined;
  /** Health, readiness, metrics, the API document. */
  readonly publicRoutes: Readonly<Partial<Record<RouteName, () => Reply>>>;
  /** Answers a request for the control socket that is no upgrade. */
  readonly refuseUpgrade: (head: HttpHead) => HttpReply;
  readonly onAnswered: (route: string, status: number) => void;
  readonly onFault: (error: unknown) => void;
}

/** The failure's `action`, where the route stands for one (specification, section 4.4). */
const ACTION_OF_ROUTE: Readonly<Partial<Record<RouteName, string>>> = { screenshot: 'screenshot' };

/** Routes that take a body, and the code of one that is not JSON. */
const BODY_CODES: Readonly<Partial<Record<RouteName, ErrorCode>>> = {
  createSession: 'invalid_session_request',
  interact: 'invalid_interaction',
};

/**
 * REST as a facade over the services that the control socket uses too. It checks in one order: authentication, route,
 * session, validation, platform capability, duplicate, capacity.
 */
export class RestFacade implements HttpApplication {
  readonly #options: FacadeOptions;

  constructor(options: FacadeOptions) {
    this.#options = options;
  }

  begin(head: HttpHead): Reply | BodyWanted {
    const received = stampNow(this.#options.clock);
    const found = match(head.method, head.path);
    const named: Call['named'] = {};
    const label = found.kind === 'route' ? found.route.path : found.kind;
    const refuse = (error: unknown) => this.#refuse(error, named, received, found, label);
    try {
      const publicRoute = found.kind === 'route' ? this.#options.publicRoutes[found.name] : undefined;
      if (publicRoute) return this.#answer(publicRoute(), label, refuse);
      // The control socket has credentials of its own: a viewer's token is as good as a key there.
      if (found.kind === 'route' && found.name === 'control') return this.#options.refuseUpgrade(head);
      const owner = this.#authenticate(head);
      if (found.kind === 'unknown') throw new ServiceError('not_found');
      if (found.kind === 'wrong method') throw new ServiceError('method_not_allowed');
      nameTarget(named, found, head);
      const { name, params, route } = found;
      const call: Call = { head, owner, params, received, named };
      const session = route.scope === 'active' ? this.#session(call) : undefined;
      if (!BODY_CODES[name]) return this.#answer(this.#run(name, call, session), label, refuse);
      return {
        receive: (body) => {
          try {
            return this.#answer(this.#runWithBody(name, call, session, body), label, refuse);
          } catch (error) {
            return refuse(error);
          }
        },
        refuse: (code) => ({ ...refuse(new ServiceError(code)), close: true }),
      };
    } catch (error) {
      return refuse(error);
    }
  }

  #authenticate(head: HttpHead): Principal {
    const principal = this.#options.authenticate(head.header('authorization'));
    if (!principal) throw new ServiceError('authentication_required');
    const bucket = this.#options.allowance(principal.keyId);
    if (bucket && !bucket.take()) {
      const { retryAfterSeconds } = bucket;
      throw new ServiceError('rate_limited', 'This key makes too many REST calls.', { retryAfterSeconds });
    }
    return principal;
  }

  #session({ owner, params }: Call): LiveSession {
    return this.#options.registry.active(owner, params.platform as Platform, params.sessionId ?? '');
  }

  #run(name: RouteName, call: Call, session: LiveSession | undefined): Reply {
    const { registry } = this.#options;
    if (session) return name === 'screenshot' ? screenshot(call, session) : cancelInteraction(call, session);
    if (name === 'listSessions') return listSessions(call, registry);
    return name === 'getSession' ? getSession(call, registry) : deleteSession(call, registry);
  }

  #runWithBody(name: RouteName, call: Call, session: LiveSession | undefined, body: Uint8Array): Reply {
    return session && name === 'interact'
      ? interact(call, session, body)
      : createSession(call, this.#options.registry, body);
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
function nameTarget(named: Call['named'], { name, params }: Extract<Match, { kind: 'route' }>, head: HttpHead): void {
  const { platform, sessionId } = params;
  if (platform === 'ios' || platform === 'android') named.platform = platform;
  if (sessionId !== undefined) named.sessionId = shown(sessionId);
  const requestId = name === 'screenshot' ? head.header('x-service-request-id') : params.requestId;
  if (requestId !== undefined) named.requestId = shown(requestId);
}

/** A stranger's text, shortened and without what could break a line. */
const shown = (text: string): string => text.slice(0, 128).replace(/[^\x20-\x7e]/g, '?');
