import { newId } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import type { Store } from '../store/store.ts';
import { digestOf } from './api-key.ts';
import type { Principal } from './authenticator.ts';
import { isSecret, makeSecret } from './secret-text.ts';

/** How long a browser stays signed in. */
export const SIGN_IN_LIFE_MS = 7 * 86_400_000;

/** A sign-in at the only moment at which its secret is known. */
export interface OpenedSignIn {
  readonly id: string;
  readonly accountId: string;
  /** What the browser's cookie is to hold. */
  readonly secret: string;
  readonly lifeMs: number;
}

/** What is known of a browser that is signed in. */
type SignedInBrowser = Required<Pick<Principal, 'accountId' | 'signedInAtMs' | 'expiresAtMs'>>;

/** Browsers that are signed in to the dashboard. The secret is new at each sign-in, so that nobody can plant one. */
export class DashboardSignIns {
  readonly #store;
  readonly #clock;

  constructor(store: Pick<Store, 'signIns' | 'attempt'>, clock: Pick<Clock, 'wallMs'>) {
    this.#store = store;
    this.#clock = clock;
  }

  open(accountId: string): OpenedSignIn {
    const nowMs = Math.floor(this.#clock.wallMs());
    return this.#insert(accountId, nowMs, nowMs + SIGN_IN_LIFE_MS);
  }

  /** Another cookie for a browser that is signed in. It is as old as the one before: nobody has shown again who sits there. */
  replace({ accountId, signedInAtMs, expiresAtMs }: SignedInBrowser): OpenedSignIn {
    return this.#insert(accountId, signedInAtMs, expiresAtMs);
  }

  /** Who a request with this secret acts as; `undefined` for a secret that is none, or whose sign-in has ended. */
  find(secret: string): Principal | undefined {
    if (!isSecret('cookie', secret)) return undefined;
    const nowMs = Math.floor(this.#clock.wallMs());
    const found = this.#store.signIns.find(digestOf(secret), nowMs);
    if (!found) return undefined;
    const { id, createdAtMs: signedInAtMs, usedAtMs, ...who } = found;
    // Worth no request: what cannot be written now is written at the next one.
    if (usedAtMs === undefined) this.#store.attempt(() => this.#store.signIns.use(id, nowMs));
    return { ...who, keyId: id, kind: 'dashboard', signedInAtMs };
  }

  end(secret: string): void {
    if (isSecret('cookie', secret)) this.#store.signIns.end(digestOf(secret));
  }

  /** Ends one that no request came with; false when there is none such of this id. */
  endUnused(id: string): boolean {
    return this.#store.signIns.endUnused(id);
  }

  #insert(accountId: string, createdAtMs: number, expiresAtMs: number): OpenedSignIn {
    const secret = makeSecret('cookie');
    const id = newId('sgn');
    this.#store.signIns.insert({ id, accountId, digest: digestOf(secret), createdAtMs, expiresAtMs });
    return { id, accountId, secret, lifeMs: Math.max(0, expiresAtMs - Math.floor(this.#clock.wallMs())) };
  }

  /** Ends all of an account's sign-ins but the one that `keptId` names. */
  endOthers(accountId: string, keptId: string): void {
    this.#store.signIns.endOthers(accountId, keptId);
  }
}
