import type { StoredHistory } from '../store/session-row.ts';
import type { Piece } from './layout.ts';

/** The messages between the gateway and the thread of the history. The thread takes them in their order. */

/** Entries of one session, from the one behind `after` on, as JSON texts with a line feed behind each. */
export interface ReadOrder {
  readonly sessionId: string;
  /** The copy of this session's history to read; absent for the file of this service's own. */
  readonly copy?: string;
  readonly after: number;
  /** Of all entries, only as many of the newest. */
  readonly newest?: number | undefined;
  readonly limit: number;
  /** A longer answer ends early, but has at least one entry. */
  readonly bytesMax: number;
  /** From this entry on, those without an end are pending, since the session lives in this process; of those before, the end is unknown. */
  readonly liveFrom: number;
  /** Cues of a recording instead of entries: of those in this span alone, in milliseconds since the epoch. */
  readonly cues?: { readonly fromMs: number; readonly toMs: number };
}

export interface FindOrder {
  readonly sessionId: string;
  /** As of a read. */
  readonly copy?: string;
  readonly requestId: string;
  /** As of a read. */
  readonly liveFrom: number;
}

export type ToHistory =
  | { readonly kind: 'write'; readonly batch: number; readonly pieces: readonly Piece[] }
  | { readonly kind: 'read'; readonly call: number; readonly order: ReadOrder }
  | { readonly kind: 'find'; readonly call: number; readonly order: FindOrder }
  /** To copy the whole history of a session that has ended into a new file at `path`. */
  | { readonly kind: 'copy'; readonly call: number; readonly sessionId: string; readonly path: string };

/** The answer to a read. */
export interface Stretch {
  /** The texts, one behind the other. */
  readonly bytes: Uint8Array;
  readonly count: number;
  /** The `seq` to go on behind. */
  readonly last: number;
  readonly more: boolean;
}

export type FromHistory =
  /** The batch is on disk, or given up. */
  | { readonly kind: 'written'; readonly batch: number }
  | { readonly kind: 'stretch'; readonly call: number; readonly stretch: Stretch }
  /** An entry as JSON text; absent where there is none. */
  | { readonly kind: 'found'; readonly call: number; readonly entry?: string }
  | { readonly kind: 'copied'; readonly call: number; readonly file: StoredHistory }
  | { readonly kind: 'unavailable'; readonly call: number }
  /** The storage takes nothing now: what is to be written waits. */
  | { readonly kind: 'waiting'; readonly reason: string }
  | { readonly kind: 'well' }
  /** The file was broken: it was moved aside, and a new one begun. */
  | { readonly kind: 'begun anew'; readonly reason: string }
  /** A batch, or a call, that nothing can be done about here. */
  | { readonly kind: 'fault'; readonly reason: string };
