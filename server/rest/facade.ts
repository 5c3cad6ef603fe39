import type { RouteName } from '@runcloud/protocol';
import { ServiceError } from '@runcloud/protocol/terms';
import type { Allowance, Holder } from '../account/allowances.ts';
import type { Principal } from '../account/authenticator.ts';
import type { Clock } from '../flow/clock.ts';
import type { FairTurns } from '../flow/fair-turns.ts';
import type { OnFault } from '../observe/log-ids.ts';
import type { BodyWanted, HttpApplication, HttpHead, HttpReply, StreamedBodyWanted } from '../socket/http.ts';
import type { Call } from './call.ts';
import { Exchange, type ExchangeOptions, type Payer, tooManyCalls } from './exchange.ts';
import { HANDLERS, type Reply, type Services } from './handlers.ts';
import { takeKeyless } from './keyless.ts';
import { OPEN_HANDLERS } from './open-handlers.ts';
import { type Match, needsKey, type Params } from './router.ts';

/** A call that needs no key. */
export interface PublicCall {
  readonly head: HttpHead;
  readonly params: Params;
}

export interface FacadeOptions {
  readonly clock: Clock;
  readonly commit: ExchangeOptions['commit'];
  /** Where long bodies wait for their account's turn. */
  readonly turns: FairTurns;
  readonly services: Services;
  /** May throw a `ServiceError` that says why a credential does not count. */
  readonly authenticate: (head: HttpHead) => Principal | undefined;
  /** What a credential may do; `undefined` when there is no limit. */
  readonly allowance: (holder: Holder) => Allowance | undefined;
  /** What all who come from one network may do without a credential, or with a wrong one. */
  readonly keylessAllowance: (network: string) => Allowance | undefined;
  /** Health, readiness, metrics, the API document, the viewer page. */
  readonly publicRoutes: Readonly<Partial<Record<RouteName, (call: PublicCall) => Reply>>>;
  /** The answer to a browser that asks for what there is not. */
  readonly notFoundPage: HttpReply;
  /** Answers a request for the control socket that is no upgrade. */
  readonly refuseUpgrade: (head: HttpHead) => HttpReply;
  readonly onAnswered: (route: string, status: number) => void;
  readonly onFault: OnFault;
}

const NO_BODY = new Uint8Array();
/** Whoever watches the service must not be refused because others ask too often; a refusal would cost as much. */
const PROBES: readonly RouteName[] = ['health', 'ready'];

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
    const { found } = exchange;
    const { keylessAllowance, publicRoutes, refuseUpgrade, services } = this.#options;
    if (found.kind === 'route') {
      const publicRoute = publicRoutes[found.name];
      if (publicRoute) {
        if (!PROBES.includes(found.name)) takeKeyless(keylessAllowance(head.network));
        return exchange.answer(publicRoute({ head, params: found.params }));
      }
      // The control socket has credentials of its own: a viewer's token is as good as a key there.
      if (found.name === 'control') return refuseUpgrade(head);
      const open = OPEN_HANDLERS[found.name];
      if (open) {
        const { address, network } = head;
        const allowance = keylessAllowance(network);
        takeKeyless(allowance);
        // Whoever has no account yet shares one line with all who have none: addresses are cheap.
        const payer = { party: 'strangers', allowance };
        return exchange.awaitBody(open({ head, address, holder: network }, services), payer);
      }
    }
    if (found.kind !== 'route' && !needsKey(head.path)) throw noRoute(found);
    const { owner, payer } = this.#authenticate(head);
    if (found.kind !== 'route') throw noRoute(found);
    const handler = HANDLERS[found.name];
    if (!handler) throw new ServiceError('not_found');
    const { received, named } = exchange;
    const call: Call = { head, owner, params: found.params, received, named };
    if ('prepareStream' in handler) {
      const admit = handler.prepareStream(call, services);
      return {
        bodyBytesMax: handler.bodyBytesMax,
        admit: () => exchange.letIn(admit),
        refuse: (code) => exchange.refuse(code),
      };
    }
    const run = handler.prepare(call, services);
    return handler.takesBody ? exchange.awaitBody(run, payer) : exchange.carryOut(run, NO_BODY);
  }

  #authenticate(head: HttpHead): { readonly owner: Principal; readonly payer: Payer } {
    const { authenticate, allowance, keylessAllowance } = this.#options;
    let owner: Principal | undefined;
    try {
      owner = authenticate(head);
    } finally {
      if (!owner) takeKeyless(keylessAllowance(head.network));
    }
    if (!owner) throw new ServiceError('authentication_required');
    const { keyId: holder, accountId: account } = owner;
    const own = allowance({ holder, account });
    // The call itself; its body is paid for when it is there.
    if (own && !own.take()) throw tooManyCalls(own);
    return { owner, payer: { party: account, allowance: own } };
  }
}

const noRoute = ({ kind }: Exclude<Match, { readonly kind: 'route' }>): ServiceError =>
  new ServiceError(kind === 'unknown' ? 'not_found' : 'method_not_allowed');
