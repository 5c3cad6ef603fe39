import { CREDENTIAL_PARAMETERS, type Route } from '@runcloud/protocol';
import { ServiceError } from '@runcloud/protocol/terms';
import type { Principal } from '../account/authenticator.ts';
import type { Holder, RateLimiter } from '../account/rate-limiters.ts';
import type { BodyWanted, HttpApplication, HttpHead, HttpReply, StreamedBodyWanted, TakeBody } from '../socket/http.ts';
import { refuseUnauthenticated, takeKeyless } from './authenticate.ts';
import { checkMediaType, readCheckedQuery, readJsonBody } from './body.ts';
import type { Pieces } from './call.ts';
import { Exchange, type ExchangeOptions, type Payer, tooManyCalls } from './exchange.ts';
import { HANDLERS } from './handlers.ts';
import { refuseForeignBrowser, refuseForeignPage } from './own-page.ts';
import { type Asked, ROLES } from './roles.ts';
import { type Match, needsKey, type Params } from './router.ts';
import type { Services } from './services.ts';

export interface FacadeOptions extends ExchangeOptions {
  readonly services: Services;
  /** May throw a `ServiceError` that says why a credential is refused. */
  readonly authenticate: (head: HttpHead) => Principal | undefined;
  /** The rate limiter of a credential; `undefined` without a limit. */
  readonly rateLimiter: (holder: Holder) => RateLimiter | undefined;
  /** The rate limit of unauthenticated calls per network. */
  readonly keylessAllowance: (network: string) => RateLimiter | undefined;
  /** Answers a request to the control socket's address that is not an upgrade. */
  readonly refuseUpgrade: (head: HttpHead) => HttpReply | Promise<HttpReply>;
}

type Reply = HttpReply | Promise<HttpReply>;

/** All data of a call; each handler sees the part that its route declares. */
interface Assembled {
  readonly head: HttpHead;
  readonly params: Params;
  readonly received: Exchange['received'];
  readonly named: Exchange['named'];
  owner: Principal | undefined;
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

  begin(head: HttpHead): Reply | BodyWanted | StreamedBodyWanted {
    const exchange = new Exchange(head, this.#options);
    try {
      return this.#begin(head, exchange);
    } catch (error) {
      return exchange.refuseCall(error);
    }
  }

  #begin(head: HttpHead, exchange: Exchange): Reply | BodyWanted | StreamedBodyWanted {
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
      address: undefined,
      holder: undefined,
      secret: undefined,
      session: undefined,
      query: undefined,
      body: undefined,
    };
    const payer = this.#admit(call, route);
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
    const { body } = route;
    if (body?.kind === 'stream') {
      checkMediaType(call.head, body);
      const { services } = this.#options;
      const admit = (handler as unknown as (...parts: Parameters<Run>) => () => TakeBody)(call, services);
      return {
        bodyBytesMax: body.bytesMax,
        admit: () => exchange.letIn(admit),
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
  #admit(call: Assembled, { credential, unmetered, pages }: Route): Payer {
    const { head } = call;
    if (credential === 'key') {
      const { owner, payer } = this.#authenticate(head);
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

  #authenticate(head: HttpHead): { readonly owner: Principal; readonly payer: Payer } {
    const { authenticate, rateLimiter, keylessAllowance } = this.#options;
    let owner: Principal | undefined;
    try {
      owner = authenticate(head);
    } catch (error) {
      takeKeyless(keylessAllowance(head.network));
      throw error;
    }
    if (!owner) return refuseUnauthenticated(keylessAllowance(head.network));
    const { keyId: holder, accountId: account } = owner;
    const own = rateLimiter({ holder, account });
    // Charges the call; its body is charged once it has arrived.
    if (own && !own.take()) throw tooManyCalls(own);
    return { owner, payer: { party: account, rateLimiter: own } };
  }
}

/** The signed credential in the query; empty if absent. */
const secretOf = ({ query }: HttpHead, credential: keyof typeof CREDENTIAL_PARAMETERS): string =>
  new URLSearchParams(query).get(CREDENTIAL_PARAMETERS[credential]) ?? '';

/** The declared counterpart of the type `IsList`. */
const isList = ({ query }: Route): boolean => query !== undefined && 'cursor' in query.schema.properties;

const noRoute = ({ kind }: Exclude<Match, { readonly kind: 'route' }>): ServiceError =>
  new ServiceError(kind === 'unknown' ? 'not_found' : 'method_not_allowed');
