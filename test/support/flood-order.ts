/** Messages that another account sends as fast as it can; `cheap` is as long as a gesture, but causes hardly any work. */
export const FLOOD_KINDS = [
  'nothing',
  'cheap',
  'gesture',
  'refused gesture',
  'refused body',
  'taps',
  'text',
  'acknowledgements',
  'pings',
  'sockets',
  'queue',
  'full session',
] as const;

/** Floods of all other operations of the service, by one account or by unauthenticated callers. */
export const HOSTILE_KINDS = [
  'slow packages',
  'uploads',
  'views',
  'sockets',
  'lists',
  'sessions',
  'sign-ins',
  'device codes',
] as const;
export type FloodKind = (typeof FLOOD_KINDS)[number] | (typeof HOSTILE_KINDS)[number];

/** Of a flood that signs in: the account's own browser, and addresses of others to try passwords with. */
export interface FloodedPeople {
  readonly own: { readonly email: string; readonly headers: Readonly<Record<string, string>> };
  readonly password: string;
  readonly others: readonly string[];
}

/** The one argument of the program that floods, in JSON. */
export interface FloodOrder {
  readonly url: string;
  /** The path of a session's routes. */
  readonly session: string;
  readonly sessionId: string;
  readonly authorization: string;
  /** Sockets, or connections for calls. */
  readonly sockets: number;
  readonly kind: FloodKind;
  readonly people?: FloodedPeople;
}
