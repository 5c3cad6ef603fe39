import { urlParts } from '@runcloud/protocol/terms';
import { DeviceFault } from '../../device/fault.ts';
import { isWebUrl, urlHandler } from '../../device/url-handler.ts';
import type { AppDefinition } from '../apps/app.ts';
import type { Environment } from '../environment.ts';
import type { Alerts, Handoff } from './alerts.ts';

/** The app that opens web addresses that no app is linked to. */
const BROWSER = 'browser';
/** A scheme can be as long as its URL; a message shows only its beginning. */
const SCHEME_SHOWN_MAX = 64;

/** The functions of the system that the opener uses. */
export interface UrlHost {
  definition(app: string): AppDefinition | undefined;
  /** Brings an app to the front and gives it the URL. */
  openUrl(app: string, url: string): void;
}

/** Passes URLs to their apps, as the platform does, byte for byte: only the app interprets a URL. */
export class UrlOpener {
  readonly #environment: Environment;
  readonly #apps: readonly AppDefinition[];
  readonly #host: UrlHost;
  readonly #alerts: Alerts;
  /** Schemes that the user has allowed an app to open. The phone asks once for each. */
  readonly #allowed = new Set<string>();

  constructor(environment: Environment, apps: readonly AppDefinition[], host: UrlHost, alerts: Alerts) {
    this.#environment = environment;
    this.#apps = apps;
    this.#host = host;
    this.#alerts = alerts;
  }

  /**
   * Opens a URL, on iOS possibly after asking the user; returns the app that handles it. Throws a `DeviceFault`: `unhandled`
   * if no app handles it, `failed` if the phone cannot open anything now.
   */
  open(url: string): string {
    const { platform, state } = this.#environment;
    const ios = platform === 'ios';
    const app = this.#handler(url);
    // iOS opens no app while the screen is off; Android starts the activity behind the dark screen.
    if (ios && !state.screenOn) {
      throw new DeviceFault('failed', 'The screen is off and iOS opens nothing behind it; wake it with a side button.');
    }
    const { scheme } = urlParts(url);
    const handoff: Handoff = { kind: 'url', app, scheme, url };
    this.#environment.log('open url', { app: app.id, scheme });
    if (ios && !isWebUrl(url) && !this.#allowed.has(keyOf(handoff))) this.#ask(handoff);
    else this.#host.openUrl(app.id, url);
    return app.id;
  }

  /** What the user has allowed. */
  get allowed(): readonly string[] {
    return [...this.#allowed];
  }

  restore(allowed: readonly string[]): void {
    this.#allowed.clear();
    for (const key of allowed) this.#allowed.add(key);
  }

  /** The user has allowed it. */
  confirmed(handoff: Handoff): void {
    this.#allowed.add(keyOf(handoff));
    this.#host.openUrl(handoff.app.id, handoff.url);
  }

  #handler(url: string): AppDefinition {
    const packages = this.#apps.flatMap((app) => (app.package ? [app.package] : []));
    const handler = urlHandler(packages, url);
    const linked = handler && this.#apps.find((app) => app.package === handler);
    const app = linked ?? (isWebUrl(url) ? this.#host.definition(BROWSER) : undefined);
    if (app) return app;
    const scheme = urlParts(url).scheme.slice(0, SCHEME_SHOWN_MAX);
    throw new DeviceFault('unhandled', `No installed app opens this URL of the scheme "${scheme}".`);
  }

  #ask(handoff: Handoff): void {
    if (this.#alerts.ask(handoff)) return;
    throw new DeviceFault('failed', 'Too many alerts wait to be answered on the screen.');
  }
}

const keyOf = ({ app, scheme }: Handoff): string => `${scheme}:${app.id}`;
