import { Assets } from './assets.ts';
import { Http } from './http.ts';
import { SessionHandle } from './session.ts';
import { Sessions } from './sessions.ts';
import type { Surroundings } from './surroundings.ts';
import type { Platform } from './types.ts';

export interface RunCloudOptions {
  /** Sent as `Authorization: Bearer`, to the base address alone. */
  readonly apiKey: string;
  /** Where the service is, with or without a path; `http://127.0.0.1:8787` where absent. */
  readonly baseUrl?: string | undefined;
  /** Instead of the runtime's own. */
  readonly fetch?: typeof fetch | undefined;
}

export const DEFAULT_BASE_URL = 'http://127.0.0.1:8787';

/** The service, as one account sees it. */
export abstract class Client {
  readonly sessions: Sessions;
  readonly assets: Assets;
  readonly #http: Http;
  readonly #surroundings: Surroundings;

  constructor({ apiKey, baseUrl, fetch: given }: RunCloudOptions, surroundings: Surroundings) {
    this.#http = new Http({
      apiKey: checkedKey(apiKey),
      baseUrl: checkedBaseUrl(baseUrl ?? DEFAULT_BASE_URL),
      fetch: given ?? ((...parts) => fetch(...parts)),
    });
    this.#surroundings = surroundings;
    this.sessions = new Sessions(this.#http, surroundings);
    this.assets = new Assets(this.#http);
  }

  /** A session that is known by its platform and id; nothing is asked. */
  session(known: { readonly id: string; readonly platform: Platform }): SessionHandle {
    return new SessionHandle(this.#http, this.#surroundings, known);
  }
}

function checkedKey(apiKey: unknown): string {
  if (typeof apiKey !== 'string') throw new TypeError('"apiKey" must be text.');
  // Anything else cannot be sent in a header. The message does not repeat it.
  if (!/^[\x21-\x7e]{1,400}$/.test(apiKey)) throw new RangeError('"apiKey" must be visible ASCII characters.');
  return apiKey;
}

function checkedBaseUrl(baseUrl: unknown): string {
  if (typeof baseUrl !== 'string') throw new TypeError('"baseUrl" must be text.');
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const plain = url && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '' && url.hash === '';
  if (!plain) throw new RangeError('"baseUrl" must be an http or https address.');
  return url.href.replace(/\/+$/, '');
}
