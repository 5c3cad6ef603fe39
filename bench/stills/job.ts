import type { Reply } from '../processes/reply.ts';

/** Messages between the bench and the process that takes stills: structured clones over the process channel. */
export type StillsJob =
  /** Screenshots of a session, over REST or the control socket. */
  | { readonly kind: 'rest' | 'socket'; readonly session: StillsSession; readonly changed: boolean }
  /** Pictures of a route that needs no key and no other request before. */
  | { readonly kind: 'route'; readonly host: string; readonly port: number; readonly path: string }
  /** An encoder alone, in the process that takes stills, with the picture of this PNG file. */
  | { readonly kind: 'library' | 'own encoder'; readonly png: Uint8Array };

export interface StillsSession {
  readonly host: string;
  readonly port: number;
  /** `/service/{platform}/{sessionId}`. */
  readonly path: string;
  readonly key: string;
}

export interface StillsOrder {
  readonly job: StillsJob;
  readonly warmUp: number;
  /** Time after the warm-up in which it takes stills, one after the other. */
  readonly measureMs: number;
}

export interface StillsFigures {
  /** Times from sending the request to the last byte of the picture, in order. */
  readonly tookMs: readonly number[];
  /** Bytes of the last picture. */
  readonly bytes: number;
}

export type StillsReply = Reply<StillsFigures>;

/** A source of stills. */
export interface StillSource {
  /** Changes the screen if the row requires it; not measured. */
  prepare(n: number): Promise<void>;
  /** The picture as PNG. */
  take(): Promise<Uint8Array>;
  close(): void;
}
