import type { Reply } from '../processes/reply.ts';

/** What the bench and the process that takes stills tell each other; structured clones over the process channel. */
export type StillsJob =
  /** Screenshots of a session, over REST or the control socket. */
  | { readonly kind: 'rest' | 'socket'; readonly session: StillsSession; readonly changed: boolean }
  /** A route that needs no key and nothing before it. */
  | { readonly kind: 'route'; readonly host: string; readonly port: number; readonly path: string }
  /** An encoder by itself, in the process that takes stills, on the picture of this PNG file. */
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
  /** How long it takes stills after the warm-up, one after the other. */
  readonly measureMs: number;
}

export interface StillsFigures {
  /** From the request's send to the last byte of the picture, in the order they were taken. */
  readonly tookMs: readonly number[];
  /** Bytes of the newest picture. */
  readonly bytes: number;
}

export type StillsReply = Reply<StillsFigures>;

/** What gives stills. */
export interface StillSource {
  /** Changes the screen, where the row wants that; not measured. */
  prepare(n: number): Promise<void>;
  /** The picture as PNG. */
  take(): Promise<Uint8Array>;
  close(): void;
}
