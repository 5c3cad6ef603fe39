import type { Track } from '../../capture/track.ts';
import type { RecordingOrder } from '../../link/recording-messages.ts';

/** A sample in its own memory, which is transferred with the message. */
export interface SentSample {
  readonly atUs: number;
  readonly key: boolean;
  readonly data: Uint8Array<ArrayBuffer>;
}

/** A request for a capture's files; see `CaptureFiles`. */
export type WriterTask =
  | { readonly kind: 'create'; readonly order: Pick<RecordingOrder, 'partFile' | 'journalFile'>; readonly track: Track }
  | { readonly kind: 'write'; readonly samples: readonly SentSample[]; readonly untilUs: number }
  | { readonly kind: 'sync' }
  | { readonly kind: 'finish'; readonly endUs: number }
  | { readonly kind: 'close' };

/** One task. Tasks start in order; the host assigns the number `capture`. */
export type ToWriter = WriterTask & { readonly call: number; readonly capture: number };

/** The used fields of a system's or FFmpeg's error. */
export interface WriterFailure {
  readonly message: string;
  readonly errno?: number;
  readonly code?: string | number;
}

/** The answer to a task: a size in bytes, or nothing. */
export type FromWriter =
  | { readonly call: number; readonly value: number | undefined }
  | { readonly call: number; readonly failure: WriterFailure };
