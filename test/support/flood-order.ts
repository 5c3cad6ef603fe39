/** What another account sends as fast as it can; `cheap` has as many bytes as a gesture, and hardly anything to do in them. */
export const FLOOD_KINDS = ['nothing', 'cheap', 'gesture', 'refused gesture', 'refused body', 'taps', 'text'] as const;
export type FloodKind = (typeof FLOOD_KINDS)[number];

/** The one argument of the program that floods, in JSON. */
export interface FloodOrder {
  readonly url: string;
  /** The path of a session's routes. */
  readonly session: string;
  readonly authorization: string;
  readonly sockets: number;
  /** One after the other, at each SIGUSR2 the next one. After the last it ends. */
  readonly phases: readonly FloodKind[];
}
