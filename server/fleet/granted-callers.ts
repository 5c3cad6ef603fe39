import type { Principal } from '../account/authenticator.ts';
import type { HttpHead } from '../socket/http.ts';
import type { Grant, GrantedCaller } from './messages.ts';

/** Names to remember. */
const NAMES_MAX = 10_000;

/** On a host: who sent each request, as the edges say. */
export class GrantedCallers {
  readonly #grants = new WeakMap<object, Pick<Grant, 'caller' | 'browser'>>();
  readonly #names = new Map<string, string>();
  readonly #onAccount: (caller: GrantedCaller) => void;

  /** @param onAccount called for each caller, before anything is done for it */
  constructor(onAccount: (caller: GrantedCaller) => void) {
    this.#onAccount = onAccount;
  }

  note(head: HttpHead, { caller, browser }: Pick<Grant, 'caller' | 'browser'>): void {
    this.#grants.set(head, { ...(caller && { caller }), ...(browser && { browser }) });
    for (const each of [caller, browser]) {
      if (!each) continue;
      this.#onAccount(each);
      if (each.name === undefined) continue;
      if (this.#names.size >= NAMES_MAX) this.#names.clear();
      this.#names.set(each.principal.keyId, each.name);
    }
  }

  of(head: HttpHead): Principal | undefined {
    return this.#grants.get(head)?.caller?.principal;
  }

  browserOf(head: Pick<HttpHead, 'header'>): Principal | undefined {
    return this.#grants.get(head)?.browser?.principal;
  }

  nameOf({ keyId }: Pick<Principal, 'keyId'>): string | undefined {
    return this.#names.get(keyId);
  }
}
