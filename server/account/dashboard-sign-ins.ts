import { newId } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import type { Store } from '../store/store.ts';
import { digestOf } from './api-key.ts';
import type { Principal } from './authenticator.ts';
import { isSecret, makeSecret } from './secret-text.ts';

/** How long a browser stays signed in. */
export const SIGN_IN_LIFE_MS = 7 * 86_400_000;

/** A new sign-in; only the digest of its secret is stored. */
export interface OpenedSignIn {
  readonly id: string;
  readonly accountId: string;
  /** The value of the browser's cookie. */
  readonly secret: string;
  readonly lifeMs: number;
}

/** A signed-in browser. */
type SignedInBrowser = Required<Pick<Principal, 'accountId' | 'signedInAtMs' | 'expiresAtMs'>>;

/** Browsers that are signed in to the dashboard. Each sign-in has a new secret, which prevents session fixation. */
export class DashboardSignIns {
  readonly #store;
  readonly #clock;

  constructor(store: Pick<Store, 'signIns' | 'attempt' | 'refuseOld'>, clock: Pick<Clock, 'wallMs'>) {
    this.#store = store;
    this.#clock = clock;
  }

  open(accountId: string): OpenedSignIn {
    const nowMs = Math.floor(this.#clock.wallMs());
    return this.#insert(accountId, nowMs, nowMs + SIGN_IN_LIFE_MS);
  }

  /** Replaces the cookie of a signed-in browser. It keeps its sign-in time, since the user has not authenticated again. */
  replace({ accountId, signedInAtMs, expiresAtMs }: SignedInBrowser): OpenedSignIn {
    return this.#insert(accountId, signedInAtMs, expiresAtMs);
  }

  /**
   * Authenticates a request by its cookie; `undefined` if the secret is unknown or the sign-in has ended. Throws
   * `store_unavailable`.
   */
  find(secret: string): Principal | undefined {
    if (!isSecret('cookie', secret)) return undefined;
    this.#store.refuseOld();
    const nowMs = Math.floor(this.#clock.wallMs());
    const found = this.#store.signIns.find(digestOf(secret), nowMs);
    if (!found) return undefined;
    const { id, createdAtMs: signedInAtMs, usedAtMs, ...who } = found;
    // A failed write must not fail the request; the next request writes it.
    if (usedAtMs === undefined) this.#store.attempt(() => this.#store.signIns.use(id, nowMs));
    return { ...who, keyId: id, kind: 'dashboard', signedInAtMs };
  }

  end(secret: string): void {
    if (isSecret('cookie', secret)) this.#store.signIns.end(digestOf(secret));
  }

  /** Ends a sign-in that was never used; false if there is none with this id. */
  endUnused(id: string): boolean {
    return this.#store.signIns.endUnused(id);
  }

  #insert(accountId: string, createdAtMs: number, expiresAtMs: number): OpenedSignIn {
    const secret = makeSecret('cookie');
    const id = newId('sgn');
    this.#store.signIns.insert({ id, accountId, digest: digestOf(secret), createdAtMs, expiresAtMs });
    return { id, accountId, secret, lifeMs: Math.max(0, expiresAtMs - Math.floor(this.#clock.wallMs())) };
  }

  /** Ends all sign-ins of an account except `keptId`. */
  endOthers(accountId: string, keptId: string): void {
    this.#store.signIns.endOthers(accountId, keptId);
  }
}
