import { routeTo } from '../../protocol/routes/address.ts';
import { Accounts } from './account.ts';
import type { CallOptions } from './actions.ts';
import { Assets } from './assets.ts';
import { BOUNDS, type Bounds } from './bounds.ts';
import type { HostList } from './hosts.ts';
import { Http, type KeySource } from './http.ts';
import { Keys } from './keys.ts';
import { general } from './operations.ts';
import { SessionHandle } from './session.ts';
import { Sessions } from './sessions.ts';
import { Snapshots } from './snapshots.ts';
import type { Surroundings } from './surroundings.ts';
import { Tokens } from './tokens.ts';
import type { DoctorReport, Platform } from './types.ts';

export interface RunCloudOptions {
  /**
   * Sent as `Authorization: Bearer`, only to the base address. A function is called before each request, for credentials that
   * are renewed; if it throws, the call rejects with its error.
   */
  readonly apiKey: string | KeySource;
  /** Address of the service, with or without a path; default `http://127.0.0.1:8787`. */
  readonly baseUrl?: string | undefined;
  /** Replaces the runtime's `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Limits of time and size for calls; default `BOUNDS`. */
  readonly bounds?: Partial<Bounds> | undefined;
}

export const DEFAULT_BASE_URL = 'http://127.0.0.1:8787';

/** The service, as one account sees it. */
export abstract class Client {
  readonly sessions: Sessions;
  readonly assets: Assets;
  readonly snapshots: Snapshots;
  readonly account: Accounts;
  readonly keys: Keys;
  readonly tokens: Tokens;
  readonly #http: Http;
  readonly #surroundings: Surroundings;

  constructor({ apiKey, baseUrl, fetch: given, bounds }: RunCloudOptions, surroundings: Surroundings) {
    this.#http = new Http({
      keySource: typeof apiKey === 'function' ? async () => checkedKey(await apiKey()) : checkedKey(apiKey),
      baseUrl: checkedBaseUrl(baseUrl ?? DEFAULT_BASE_URL),
      fetch: given ?? ((...parts) => fetch(...parts)),
      bounds: { ...BOUNDS, ...bounds },
    });
    this.#surroundings = surroundings;
    this.sessions = new Sessions(this.#http, surroundings);
    this.assets = new Assets(this.#http, surroundings.sendsStreams);
    this.snapshots = new Snapshots(this.#http);
    this.account = new Accounts(this.#http);
    this.keys = new Keys(this.#http);
    this.tokens = new Tokens(this.#http);
  }

  /** A handle of an existing session, by platform and id; no request is made. */
  session(known: { readonly id: string; readonly platform: Platform }): SessionHandle {
    return new SessionHandle(this.#http, this.#surroundings, known);
  }

  /** The hosts of the service's sessions, with their devices. Only for the operator's account; others get `not_found`. */
  async hosts({ signal }: CallOptions = {}): Promise<HostList> {
    return this.#http.json({ operation: general('hosts'), ...routeTo('GET /service/hosts'), signal });
  }

  /** Checks the prerequisites of the service's host. Only for the operator's account; others get `not_found`. */
  async doctor({ signal }: CallOptions = {}): Promise<DoctorReport> {
    const { workMs: waitMs } = this.#http.bounds;
    const operation = general('doctor');
    return this.#http.json({ operation, ...routeTo('GET /service/doctor'), signal, waitMs });
  }
}

function checkedKey(apiKey: unknown): string {
  if (typeof apiKey !== 'string') throw new TypeError('"apiKey" must be text, or a function that gives it.');
  // Anything else cannot be sent in a header. The message does not repeat it.
  if (!/^[\x21-\x7e]{1,400}$/.test(apiKey)) throw new RangeError('"apiKey" must be visible ASCII characters.');
  return apiKey;
}

/** Without a slash at its end. */
export function checkedBaseUrl(baseUrl: unknown): string {
  if (typeof baseUrl !== 'string') throw new TypeError('"baseUrl" must be text.');
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const plain = url && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '' && url.hash === '';
  if (!plain) throw new RangeError('"baseUrl" must be an http or https address.');
  return url.href.replace(/\/+$/, '');
}
