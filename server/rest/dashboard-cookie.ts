import type { HttpHead } from '../socket/http.ts';

/**
 * A cookie of the dashboard (RFC 6265): that of a signed-in browser, or the one that recognizes the browser later. It is not
 * sent to scripts, with requests of other sites or, if the address is https, over plain connections; the prefix `__Host-` makes
 * the browser enforce that.
 */
export class DashboardCookie {
  readonly #name: string;
  readonly #attributes: string;

  /** @param ownOrigin public origin; cookies ignore ports, so servers on one host need different cookie names */
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
