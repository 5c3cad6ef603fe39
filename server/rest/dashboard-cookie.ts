import type { HttpHead } from '../socket/http.ts';

/**
 * A cookie of the dashboard (RFC 6265): the one of a signed-in browser, or the one by which it is known again after that. It reaches no script, no other site's request and, where the address is
 * https, no plain connection; `__Host-` makes the browser hold us to that.
 */
export class DashboardCookie {
  readonly #name: string;
  readonly #attributes: string;

  /** @param ownOrigin what clients see; cookies know no ports, so servers on one host are told apart by the name */
  constructor(ownOrigin: string, kind: 'sign-in' | 'browser' = 'sign-in') {
    const { protocol, port } = new URL(ownOrigin);
    const isSecure = protocol === 'https:';
    this.#name = (isSecure ? '__Host-runcloud' : `runcloud-${port || '80'}`) + (kind === 'browser' ? '-browser' : '');
    this.#attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  }

  /** The secret that the browser sent. */
  read(head: Pick<HttpHead, 'header'>): string | undefined {
    for (const pair of (head.header('cookie') ?? '').split(';')) {
      const [name, value] = pair.split('=', 2);
      if (name?.trim() === this.#name) return value?.trim();
    }
    return undefined;
  }

  /** The value of `Set-Cookie`. */
  set(secret: string, lifeMs: number): string {
    return `${this.#name}=${secret}; Max-Age=${Math.floor(lifeMs / 1_000)}; ${this.#attributes}`;
  }

  clear(): string {
    return `${this.#name}=; Max-Age=0; ${this.#attributes}`;
  }
}
