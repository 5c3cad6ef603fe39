import type { Reply } from '../processes/reply.ts';
import type { StillsSession } from '../stills/job.ts';

/** What the bench and the process that opens sockets and screens tell each other; structured clones. */

/** Where a socket is opened; the server speaks first. */
export interface OpeningTarget {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  /** Header lines of the upgrade beside those that every upgrade has. */
  readonly headers: Readonly<Record<string, string>>;
}

export type OpeningJob =
  /** Opens and closes sockets, so many at a time. */
  | { readonly kind: 'handshakes'; readonly target: OpeningTarget; readonly atOnce: number }
  /** The first picture for whoever is the first to watch, or watches beside somebody. */
  | { readonly kind: 'first viewer' | 'further viewer'; readonly session: StillsSession }
  /** Creates a session, connects, watches; then releases it. `key` is an API key. */
  | { readonly kind: 'new session'; readonly origin: string; readonly key: string }
  /** A message to a bare socket, answered with as many bytes as a first picture has. */
  | { readonly kind: 'bare answer'; readonly target: OpeningTarget }
  /** Makes the encoder of a stream and encodes the picture of this PNG file as a key picture. */
  | { readonly kind: 'encoder'; readonly png: Uint8Array };

export interface OpeningOrder {
  readonly job: OpeningJob;
  readonly warmUp: number;
  readonly measureMs: number;
}

export interface OpeningFigures {
  /** Each opening, in milliseconds. */
  readonly tookMs: readonly number[];
  /** The measured time, and all openings of the order, the warm-up included. */
  readonly seconds: number;
  readonly openedInAll: number;
}

export type OpeningReply = Reply<OpeningFigures>;
