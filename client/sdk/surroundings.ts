import type { SocketParts } from './control/control.ts';
import type { Http } from './http.ts';
import type { Platform } from './types.ts';

/** A session, as far as opening its control socket goes. */
export interface Target {
  readonly platform: Platform;
  readonly sessionId: string;
  /** The session's signed viewer address, which a page connects with. */
  readonly viewerUrl: () => Promise<string>;
}

/** Where this runs: a browser cannot set headers of a socket, Node.js can. */
export interface Surroundings {
  /** Whether `fetch` sends a stream whose length is known. */
  readonly sendsStreams: boolean;
  readonly socketTo: (target: Target, http: Http) => Promise<SocketParts>;
}
