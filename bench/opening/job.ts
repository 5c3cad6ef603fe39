import type { Reply } from '../processes/reply.ts';
import type { StillsSession } from '../stills/job.ts';

/** Messages between the bench and the process that opens sockets and screens: structured clones. */

/** The address of a socket whose server sends the first message. */
export interface OpeningTarget {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  /** Additional header lines of the upgrade. */
  readonly headers: Readonly<Record<string, string>>;
}

export type OpeningJob =
  /** Opens and closes sockets of all targets in turn, `atOnce` at a time. */
  | { readonly kind: 'handshakes'; readonly targets: readonly OpeningTarget[]; readonly atOnce: number }
  /** Requests the first picture as the only viewer, or beside another one. */
  | { readonly kind: 'first viewer' | 'further viewer'; readonly session: StillsSession }
  /** Creates a session, connects, watches, and releases it. `key` is an API key. */
  | { readonly kind: 'new session'; readonly origin: string; readonly key: string }
  /** Sends a message to a bare socket, which answers with as many bytes as a first picture has. */
  | { readonly kind: 'bare answer'; readonly target: OpeningTarget }
  /** Creates the encoder of a stream and encodes the picture of this PNG file as a key picture. */
  | { readonly kind: 'encoder'; readonly png: Uint8Array };

export interface OpeningOrder {
  readonly job: OpeningJob;
  readonly warmUp: number;
  readonly measureMs: number;
}

export interface OpeningFigures {
  /** Time of each opening, in milliseconds. */
  readonly tookMs: readonly number[];
  /** The measured time, and the number of all openings of the order, including the warm-up. */
  readonly seconds: number;
  readonly openedInAll: number;
}

export type OpeningReply = Reply<OpeningFigures>;
