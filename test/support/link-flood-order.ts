/** Everything that the holder of a link can do too much of, each out of a process of its own. */
export const LINK_FLOODS = ['messages', 'sockets', 'streams', 'stills'] as const;
export type LinkFlood = (typeof LINK_FLOODS)[number];

/** The one argument of the program that floods by a link, in JSON. */
export interface LinkFloodOrder {
  readonly flood: LinkFlood;
  readonly role: 'control' | 'view';
  /** The origin of the service, which a page of the link has too. */
  readonly origin: string;
  /** The path of the control socket, with the link's token. */
  readonly path: string;
}
