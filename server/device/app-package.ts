/**
 * The description of an uploaded app: read once from its package, stored with it, and passed to the device that
 * installs it. Texts are as the package has them, unless a line here says otherwise.
 */
export type AppPackage = IosApp | AndroidApp;

interface AppFacts {
  /** Bundle identifier (iOS) or package name (Android). */
  readonly identifier: string;
  /** The name under the icon. */
  readonly name: string;
  /** The version for people; empty when the package has none. */
  readonly version: string;
  /** PNG, square or nearly so; absent when the package has no picture that can be read. */
  readonly icon?: Uint8Array;
}

export interface IosApp extends AppFacts {
  readonly platform: 'ios';
  /** Lower case: schemes are compared without regard to case (RFC 3986, section 3.1). */
  readonly urlSchemes: readonly string[];
  /**
   * Hosts of the `applinks:` entries of its associated domains, in lower case; one that begins with `*.` stands for
   * every subdomain of what follows. A host may have a port behind a colon; without one, the port of the scheme is meant.
   */
  readonly linkedHosts: readonly string[];
}

export interface AndroidApp extends AppFacts {
  readonly platform: 'android';
  /** Exported and enabled activities, aliases included, that at least one filter opens from a browser. */
  readonly activities: readonly LinkActivity[];
}

export interface LinkActivity {
  /** Fully qualified class name. */
  readonly name: string;
  /** Intent filters with the action VIEW, the categories DEFAULT and BROWSABLE, a scheme, and no media type. */
  readonly filters: readonly LinkFilter[];
}

/**
 * The data part of one intent filter. Android combines what the `<data>` elements of a filter say: any scheme goes with
 * any authority, and with any path.
 */
export interface LinkFilter {
  /** At least one. Android compares schemes to the letter; here they are in lower case like the URLs that reach it. */
  readonly schemes: readonly string[];
  /** None: every authority fits. */
  readonly authorities: readonly LinkAuthority[];
  /** Looked at only where there are authorities; none: every path fits. */
  readonly paths: readonly PathRule[];
  /** Asks for verification as an App Link. */
  readonly autoVerify: boolean;
}

export interface LinkAuthority {
  /** Lower case; `*` stands for every host, and `*.` at the beginning for everything that ends with what follows. */
  readonly host: string;
  /** Absent: every port fits. */
  readonly port?: number;
}

export interface PathRule {
  /** `pattern` is Android's simple glob (`.` and `*`), `advanced` its pattern with sets and ranges. */
  readonly kind: 'literal' | 'prefix' | 'suffix' | 'pattern' | 'advanced';
  readonly value: string;
}

/** An app, and the file that it comes in. */
export interface InstallableApp {
  readonly app: AppPackage;
  /** Absolute path of the package on this host; embedded devices need only what `app` says. */
  readonly file: string;
}

/** The schemes that a package opens, without repetition. */
export function urlSchemesOf(app: AppPackage): string[] {
  if (app.platform === 'ios') return [...new Set(app.urlSchemes)];
  return [...new Set(app.activities.flatMap(({ filters }) => filters.flatMap(({ schemes }) => schemes)))];
}
