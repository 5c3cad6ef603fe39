import { type CREDENTIAL_PARAMETERS, ROUTES, type RouteName } from '@runcloud/protocol';
import { placeIn, ServiceError } from '@runcloud/protocol/terms';
import type { Principal } from '../account/authenticator.ts';
import { secretOf } from '../rest/authenticate.ts';
import type { Forward, ForwardedCall } from '../rest/facade.ts';
import type { HttpReply } from '../socket/http.ts';
import type { Ask, EdgeChannels, KnownHost } from './edge-channels.ts';
import { type HostCalls, hostUnreachable, relayedHead } from './host-calls.ts';
import type { HostRecords } from './host-records.ts';
import { type AbsentPage, MergedLists } from './merged-lists.ts';
import type { GrantedCaller } from './messages.ts';
import { Placement } from './placement.ts';

export interface ForwardingOptions {
  readonly channels: EdgeChannels;
  readonly calls: HostCalls;
  /** The name of a host that has not been heard of, by the mark in its ids. */
  readonly nameOfSilent: (place: string) => string;
  /** Whether no new session is to go to the host. */
  readonly isDraining: (host: string) => boolean;
  /** Who asks, as people know the credential. */
  readonly nameOf: (principal: Principal) => string | undefined;
  /** The epoch of an account's credentials. */
  readonly epochOf: (accountId: string) => number;
  /** Who is signed in in the browser that asks. */
  readonly browserOf: (head: ForwardedCall['head']) => Principal | undefined;
  readonly records: HostRecords;
  /** The page of the sessions that hosts which are away have told of. */
  readonly listAbsent: AbsentPage;
  /** The session that a token for one session names, which only its host can verify; `undefined` for other credentials. */
  readonly sessionOfToken: (head: ForwardedCall['head']) => string | undefined;
  /** Whether a credential in an address has the form of what hosts sign. */
  readonly isSigned: (credential: SignedCredential, secret: string) => boolean;
}

export type SignedCredential = keyof typeof CREDENTIAL_PARAMETERS;

/** What concerns no session and is answered by hosts all the same. */
type Spread = 'createSession' | 'listSessions' | 'listSnapshots' | 'getSnapshot' | 'deleteSnapshot' | 'usage';

/** Finds the host that answers a call: by the place in the id of its session or recording. */
export class Forwarding {
  readonly #options: ForwardingOptions;
  readonly #placement: Placement;
  readonly #lists: MergedLists;

  constructor(options: ForwardingOptions) {
    this.#options = options;
    this.#placement = new Placement(options.channels, options.calls, options.isDraining);
    this.#lists = new MergedLists(options.calls, { sessions: options.listAbsent });
  }

  /** The host of an id; `undefined` for an id that no host makes, and `away` for one that has not been heard of. */
  hostOf(id: string | undefined): KnownHost | 'away' | undefined {
    const place = placeIn(id ?? '');
    if (place === '') return undefined;
    return this.#options.channels.hostOf(place) ?? 'away';
  }

  of(call: ForwardedCall): Forward | undefined {
    const { head, requestId, name, params } = call;
    const { calls, records, browserOf, sessionOfToken, nameOfSilent, isSigned } = this.#options;
    const spread = this.#spread(call);
    if (spread) return spread;
    const { credential } = ROUTES[name];
    const tokensSession = credential === 'keyOrSessionToken' ? sessionOfToken(head) : undefined;
    const id = params.sessionId ?? params.recordingId ?? tokensSession;
    const host = this.hostOf(id);
    if (host === undefined) return undefined;
    const isHere = (owner: Principal) => records.canAnswer(name, params, owner.accountId);
    const passed = relayedHead(head, requestId, 'http', tokensSession !== undefined);
    if (host === 'away') {
      const silent = nameOfSilent(placeIn(id ?? ''));
      const answer: Forward['answer'] = (_, body) => Promise.reject(calls.unreached(silent, passed, wholeOf(body)));
      return { isCheckedThere: false, isHere, answer };
    }
    const isAddressed = credential === 'viewerToken' || credential === 'reference';
    // Anything else, such as a key by mistake, is refused here, as a host would: it goes no further.
    if (isAddressed && !isSigned(credential, secretOf(head, credential))) return undefined;
    const isCheckedThere = isAddressed || tokensSession !== undefined;
    const browser = name === 'viewerPage' ? this.granted(browserOf(head)) : undefined;
    const onGone = (listener: () => void) => head.onGone(listener);
    return {
      isCheckedThere,
      ...(host.isAway && { isHere }),
      answer: (owner, body) => {
        const caller = this.granted(owner);
        return calls.call(host, passed, {
          ...(caller && { caller }),
          ...(browser && { browser }),
          ...(body instanceof Uint8Array ? { body } : body && { pieces: body }),
          onGone,
        });
      },
    };
  }

  /** What a host is told of who asks. */
  granted(principal: Principal | undefined): GrantedCaller | undefined {
    if (!principal) return undefined;
    const name = this.#options.nameOf(principal);
    const accountEpoch = this.#options.epochOf(principal.accountId);
    return { principal, accountEpoch, ...(name !== undefined && { name }) };
  }

  #spread({ head, requestId, name }: ForwardedCall): Forward | undefined {
    const { hosts } = this.#options.channels;
    if (!isSpread(name) || hosts.length === 0) return undefined;
    const passed = relayedHead(head, requestId, 'http');
    const ask: Record<Spread, (caller: GrantedCaller, body: Uint8Array) => Promise<HttpReply>> = {
      createSession: (caller, body) => this.#placement.create(passed, caller, body),
      listSessions: (caller) => this.#lists.page('sessions', ROUTES.listSessions, hosts, passed, caller),
      listSnapshots: (caller) => this.#lists.page('snapshots', ROUTES.listSnapshots, hosts, passed, caller),
      getSnapshot: (caller) => this.#firstFound(hosts, passed, caller),
      deleteSnapshot: (caller) => this.#firstFound(hosts, passed, caller),
      usage: (caller) => this.#lists.usage(hosts, passed, caller),
    };
    return {
      isCheckedThere: false,
      answer: async (owner, body) => {
        const caller = this.granted(owner);
        if (!caller) throw new ServiceError('authentication_required');
        return ask[name](caller, wholeOf(body) ?? new Uint8Array());
      },
    };
  }

  /** Of what has a name of the account's choice: the answer of the host that has it. */
  async #firstFound(hosts: readonly KnownHost[], head: Ask['head'], caller: GrantedCaller): Promise<HttpReply> {
    let last: HttpReply | undefined;
    for (const host of hosts) {
      last = await this.#options.calls.call(host, head, { caller });
      if (last.status !== NOT_FOUND) return last;
    }
    if (!last) throw hostUnreachable();
    return last;
  }
}

const wholeOf = (body: Parameters<Forward['answer']>[1]): Uint8Array | undefined =>
  body instanceof Uint8Array ? body : undefined;

const NOT_FOUND = 404;
const SPREAD: ReadonlySet<RouteName> = new Set<Spread>([
  'createSession',
  'listSessions',
  'listSnapshots',
  'getSnapshot',
  'deleteSnapshot',
  'usage',
]);
const isSpread = (name: RouteName): name is Spread => SPREAD.has(name);
