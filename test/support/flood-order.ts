/** What another account sends as fast as it can; `cheap` has as many bytes as a gesture, and hardly anything to do in them. */
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
export type FloodKind = (typeof FLOOD_KINDS)[number];

/** The one argument of the program that floods, in JSON. */
export interface FloodOrder {
  readonly url: string;
  /** The path of a session's routes. */
  readonly session: string;
  readonly authorization: string;
  readonly sockets: number;
  readonly kind: FloodKind;
}
