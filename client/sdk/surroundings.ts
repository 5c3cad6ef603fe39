import type { SocketParts } from './control/control.ts';
import type { Http } from './http.ts';
import type { Platform } from './types.ts';

/** The fields of a session that opening its control socket needs. */
export interface Target {
  readonly platform: Platform;
  readonly sessionId: string;
  /** The session's signed viewer address, which a page connects with. */
  readonly viewerUrl: () => Promise<string>;
}

/** The differences between runtimes: Node.js can set headers of a WebSocket handshake, a browser cannot. */
export interface Surroundings {
  /** Whether `fetch` can send a stream with a `Content-Length`. */
  readonly sendsStreams: boolean;
  readonly socketTo: (target: Target, http: Http) => Promise<SocketParts>;
}
