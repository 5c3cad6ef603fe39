import type { Route, RouteName } from '@runcloud/protocol';
import { ServiceError } from '@runcloud/protocol/terms';
import type { Principal } from '../account/authenticator.ts';
import type { Holder, RateLimiter } from '../account/rate-limiters.ts';
import type { ViewerClaims } from '../account/viewer-tokens.ts';
import type { BodyWanted, HttpApplication, HttpHead, HttpReply, StreamedBodyWanted, TakeBody } from '../socket/http.ts';
import { refuseUnauthenticated, secretOf, takeKeyless } from './authenticate.ts';
import { checkMediaType, readCheckedQuery, readJsonBody } from './body.ts';
import type { Pieces } from './call.ts';
import { Exchange, type ExchangeOptions, isOfAccount, type Payer, tooManyCalls } from './exchange.ts';
import { HANDLERS } from './handlers.ts';
import { refuseForeignBrowser, refuseForeignPage } from './own-page.ts';
import { type Asked, ROLES } from './roles.ts';
import { type Match, needsKey, type Params } from './router.ts';
import type { Services } from './services.ts';
import { checkScope, principalOf } from './session-tokens.ts';

export interface FacadeOptions extends ExchangeOptions {
  readonly services: Services;
  /** May throw a `ServiceError` that says why a credential is refused. */
  readonly authenticate: (head: HttpHead) => Principal | undefined;
  /** The claims of a bearer that is a token for one session. */
  readonly sessionToken: (head: HttpHead) => ViewerClaims | undefined;
  /** The rate limiter of a credential; `undefined` without a limit. */
  readonly rateLimiter: (holder: Holder) => RateLimiter | undefined;
  /** The rate limit of unauthenticated calls per network. */
  readonly keylessAllowance: (network: string) => RateLimiter | undefined;
  /** Finds what is answered by the host of a session, and not here; absent in a service alone. */
  readonly forward?: ((call: ForwardedCall) => Forward | undefined) | undefined;
  /** Answers a request to the control socket's address that is not an upgrade. */
  readonly refuseUpgrade: (head: HttpHead) => HttpReply | Promise<HttpReply>;
}

type Reply = HttpReply | Promise<HttpReply>;

/** A call that may be for a host. Its head is readable until `forward` returns. */
export interface ForwardedCall {
  readonly head: HttpHead;
  /** What the call is known by. */
  readonly requestId: string;
  readonly name: RouteName;
  readonly params: Params;
}

/** How a call is answered elsewhere. */
export interface Forward {
  /** Whether its credential is checked there, since it was made there. */
  readonly isCheckedThere: boolean;
  /** Whether it is answered here all the same, for this caller. */
  readonly isHere?: (owner: Principal) => boolean;
  /** Resolves with the answer, or rejects with a `ServiceError`. */
  answer(owner: Principal | undefined, body?: Uint8Array | AsyncIterable<Uint8Array>): Promise<HttpReply>;
}

/** A caller whose credential was checked, and who pays. */
export interface Admission {
  readonly owner: Principal;
  readonly payer: Payer;
}

/** All data of a call; each handler sees the part that its route declares. */
interface Assembled {
  readonly head: HttpHead;
  readonly params: Params;
  readonly received: Exchange['received'];
  readonly named: Exchange['named'];
  owner: Principal | undefined;
  payer: Payer | undefined;
  /** For unauthenticated callers. */
  address: string | undefined;
  holder: string | undefined;
  secret: string | undefined;
  session: unknown;
  query: unknown;
  body: unknown;
}

type Run = (call: Assembled, services: Services) => Reply;

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

  /** @param admission of a call that another one makes, with the same credential */
  begin(head: HttpHead, admission?: Admission): Reply | BodyWanted | StreamedBodyWanted {
    const exchange = new Exchange(head, this.#options);
    try {
      return this.#begin(head, exchange, admission);
    } catch (error) {
      return exchange.refuseCall(error);
    }
  }

  #begin(
    head: HttpHead,
    exchange: Exchange,
    admission: Admission | undefined,
  ): Reply | BodyWanted | StreamedBodyWanted {
    const { found, received, named } = exchange;
    if (found.kind !== 'route') {
      if (needsKey(head.path)) this.#authenticate(head);
      throw noRoute(found);
    }
    const { route, name, params } = found;
    // The control socket checks its own credentials: it also accepts viewer tokens.
    if (name === 'control' || route.credential === 'keyOrViewerToken') return this.#options.refuseUpgrade(head);
    const call: Assembled = {
      head,
      params,
      received,
      named,
      owner: undefined,
      payer: undefined,
      address: undefined,
      holder: undefined,
      secret: undefined,
      session: undefined,
      query: undefined,
      body: undefined,
    };
    if (admission?.owner.token) checkScope(admission.owner.token, name, params);
    const forward = this.#options.forward?.({ head, requestId: exchange.requestId, name, params });
    if (forward?.isCheckedThere) return passOn(exchange, route, forward, undefined);
    const payer = this.#admit(call, route, admission);
    call.payer = payer;
    if (forward && !(call.owner && forward.isHere?.(call.owner))) return passOn(exchange, route, forward, call.owner);
    const { services } = this.#options;
    const handler = HANDLERS[name] as Run | { readonly early: Run; readonly run: Run };
    if (typeof handler !== 'function') {
      const early = handler.early(call, services);
      if (early !== undefined) return exchange.answer(early);
    }
    if (route.role !== undefined) call.session = ROLES[route.role](call as Asked, services);
    return this.#run(exchange, call, route, typeof handler === 'function' ? handler : handler.run, payer);
  }

  /** Runs the handler, now or once the body has arrived. */
  #run(exchange: Exchange, call: Assembled, route: Route, handler: Run, payer: Payer) {
    const { body, query, writes } = route;
    if (body?.kind === 'stream') {
      checkMediaType(call.head, body);
      if (query) call.query = readCheckedQuery(call.head.query, query);
      const { services } = this.#options;
      const admit = (handler as unknown as (...parts: Parameters<Run>) => () => TakeBody)(call, services);
      return {
        bodyBytesMax: body.bytesMax,
        admit: () => exchange.letIn(admit, writes !== 'none'),
        refuse: (code: 'payload_too_large' | 'length_required') => exchange.refuse(code),
      };
    }
    // Anonymous functions: naming a closure takes longer than calling it.
    if (body) return exchange.awaitBody((bytes) => this.#handle(call, route, handler, bytes), payer);
    if (isList(route))
      return exchange.makeInTurn(this.#handle(call, route, handler, NO_BODY) as unknown as Pieces, payer);
    return exchange.carryOut((bytes) => this.#handle(call, route, handler, bytes), payer);
  }

  #handle(call: Assembled, { query, body }: Route, handler: Run, bytes: Uint8Array): Reply {
    if (query) call.query = readCheckedQuery(call.head.query, query);
    if (body) call.body = body.kind === 'json' ? readJsonBody(call.head, bytes, body, call.named) : bytes;
    return handler(call, this.#options.services);
  }

  /** Authenticates a call by its route's credential and returns whom its cost is charged to. */
  #admit(call: Assembled, route: Route, admission: Admission | undefined): Payer {
    const { head } = call;
    const { credential, unmetered, pages } = route;
    if (isOfAccount(route)) {
      const { owner, payer } = admission ?? this.#authenticate(head, credential === 'keyOrSessionToken');
      if (admission) charge(payer.rateLimiter);
      call.owner = owner;
      return payer;
    }
    const rateLimiter = unmetered ? undefined : this.#options.keylessAllowance(head.network);
    takeKeyless(rateLimiter);
    if (credential === 'viewerToken' || credential === 'reference') call.secret = secretOf(head, credential);
    if (pages !== undefined) {
      const refuse = pages === 'own' ? refuseForeignPage : refuseForeignBrowser;
      refuse(head, this.#options.services.ownOrigin());
      call.address = head.address;
      call.holder = head.network;
    }
    // All callers without an account share one queue, since a caller can have many addresses.
    return { party: 'unauthenticated', rateLimiter };
  }

  #authenticate(head: HttpHead, takesTokens = false): Admission {
    const { authenticate, sessionToken, rateLimiter, keylessAllowance } = this.#options;
    let owner: Principal | undefined;
    try {
      owner = authenticate(head);
    } catch (error) {
      takeKeyless(keylessAllowance(head.network));
      throw error;
    }
    if (!owner) {
      const token = takesTokens ? sessionToken(head) : undefined;
      if (!token) return refuseUnauthenticated(keylessAllowance(head.network));
      return this.#admitToken(token);
    }
    const { keyId: holder, accountId: account } = owner;
    const own = rateLimiter({ holder, account });
    // Charges the call; its body is charged once it has arrived.
    charge(own);
    return { owner, payer: { party: account, rateLimiter: own } };
  }

  /** Links are shared with others: what they send is not the account's. */
  #admitToken(token: ViewerClaims): Admission {
    const { accountId: account, linkId, sessionId, role } = token;
    const guest = linkId !== undefined || role === 'view';
    const own = this.#options.rateLimiter({ holder: `token ${linkId ?? sessionId} ${role}`, account, guest });
    charge(own);
    return { owner: principalOf(token), payer: { party: guest ? `guests of ${account}` : account, rateLimiter: own } };
  }
}

/** Passes a call on with its body. What comes back was checked there. */
function passOn(
  exchange: Exchange,
  { body }: Route,
  forward: Forward,
  owner: Principal | undefined,
): Promise<HttpReply> | BodyWanted | StreamedBodyWanted {
  if (!body) return exchange.pass(forward.answer(owner));
  const refuse = (code: 'payload_too_large' | 'length_required') => exchange.refuse(code);
  if (body.kind === 'stream') {
    return {
      bodyBytesMax: body.bytesMax,
      admit: () => (pieces) => exchange.pass(forward.answer(owner, pieces)),
      refuse,
    };
  }
  // The bytes are the library's.
  const receive = (bytes: Uint8Array) => {
    const kept = new Uint8Array(bytes);
    return exchange.pass(forward.answer(owner, kept), kept);
  };
  return { receive, refuse };
}

function charge(rateLimiter: RateLimiter | undefined): void {
  if (rateLimiter && !rateLimiter.take()) throw tooManyCalls(rateLimiter);
}

/** The declared counterpart of the type `IsList`. */
const isList = ({ query }: Route): boolean => query !== undefined && 'cursor' in query.schema.properties;

const noRoute = ({ kind }: Exclude<Match, { readonly kind: 'route' }>): ServiceError =>
  new ServiceError(kind === 'unknown' ? 'not_found' : 'method_not_allowed');
