import { OneTimeLinks } from '../../server/account/one-time-links.ts';
import { systemClock } from '../../server/flow/clock.ts';
import { databasePath } from '../../server/store/database.ts';
import { Store } from '../../server/store/store.ts';
import type { RestAnswer } from './rest-client.ts';

type Headers = Readonly<Record<string, string>>;

/** Makes requests like the dashboard's page in a browser: with the cookie and the `Origin`. */
export class DashboardClient {
  readonly url: string;
  cookie = '';
  /** The last `Set-Cookie` of the sign-in, as it came. */
  setCookie = '';
  /** By which the browser is known again. */
  mark = '';

  constructor(url: string) {
    this.url = url;
  }

  get #sent(): string {
    return [this.cookie, this.mark].filter((one) => one !== '').join('; ');
  }

  /** The headers of a request out of the dashboard's own page. */
  get own(): Headers {
    return { Origin: this.url, 'Sec-Fetch-Site': 'same-origin', 'X-RunCloud-Dashboard': '1' };
  }

  /** @param headers beside cookie and content type; those of the own page when absent */
  async fetch(method: string, path: string, body?: unknown, headers: Headers = this.own): Promise<Response> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        ...(this.#sent === '' ? {} : { Cookie: this.#sent }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const lines = response.headers.getSetCookie();
    const isMark = (line: string) => /^[^=]*-browser=/.test(line);
    this.setCookie = lines.find((line) => !isMark(line)) ?? '';
    if (this.setCookie !== '') this.cookie = this.setCookie.split(';', 1)[0] ?? '';
    this.mark = lines.find(isMark)?.split(';', 1)[0] ?? this.mark;
    return response;
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look at answers field by field
  async call<T = any>(method: string, path: string, body?: unknown, headers?: Headers): Promise<RestAnswer<T>> {
    const response = await this.fetch(method, path, body, headers);
    return { status: response.status, headers: response.headers, body: (await response.json()) as T };
  }

  /** Signs in to the named account by a link, as the admin command makes it on a running server's data. */
  async enter(dataDir: string, accountName = 'local'): Promise<void> {
    const token = withLinks(dataDir, (links) => links.signIn(accountName).path).split('#')[1];
    const { status, body } = await this.call('POST', '/service/account/sign-in-links', { token });
    if (status !== 200) throw new Error(`not signed in: ${status} ${JSON.stringify(body)}`);
  }
}

/** Makes links on the data directory of a running server, as the admin command does. */
export function withLinks<T>(dataDir: string, use: (links: OneTimeLinks) => T): T {
  const store = new Store(databasePath(dataDir));
  try {
    return use(new OneTimeLinks(store, systemClock));
  } finally {
    store.close();
  }
}
