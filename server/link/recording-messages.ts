import type { RecordingFaultFields } from './recording-fault.ts';

/** The messages about recordings, between the gateway and a device's host or the finisher. Plain data only. */

/** Where and for how long to record. The files are made by the host; paths are absolute. */
export interface RecordingOrder {
  /** Fragmented MP4 that grows while the recording lasts. */
  readonly partFile: string;
  /** When each picture was shown, and how long the last one; see `host/recording/journal.ts`. */
  readonly journalFile: string;
  /** The recording ends by itself, well, when it is this long. */
  readonly maxDurationMs: number;
  /** It ends by itself, well, when the disk has less than this left beside the room that finalizing it takes. */
  readonly headroomBytes: number;
}

/** A recording whose first picture is on disk. */
export interface RecordingStarted {
  /** When its first picture was captured, since the Unix epoch. */
  readonly startedAtMs: number;
  /** Pixels of the video, whatever way the device is turned later. */
  readonly width: number;
  readonly height: number;
}

/** `limit`: the longest recording was reached. `headroom`: the disk is nearly full. */
export type CaptureEndReason = 'stopped' | 'limit' | 'headroom';

/** A capture that ended well: its files are closed and on disk. */
export interface CaptureSummary {
  /** Since the Unix epoch. */
  readonly stoppedAtMs: number;
  /** From the first picture to the stop, the time included for which the last picture was shown. */
  readonly durationMs: number;
  readonly sampleCount: number;
  /** Of the part file. */
  readonly bytes: number;
  readonly reason: CaptureEndReason;
}

/** How a capture ended by itself. After a fault the files hold everything until then, and can be finished all the same. */
export type CaptureEnding =
  | { readonly summary: CaptureSummary }
  /** `cause`: words for the log. */
  | { readonly fault: RecordingFaultFields; readonly cause?: string };

/** A capture to finish. Paths are absolute. */
export interface FinishOrder {
  readonly partFile: string;
  readonly journalFile: string;
  /** The finished object; it appears whole or not at all. `<targetFile>.tmp` is used on the way. */
  readonly targetFile: string;
}

/** A verified MP4 file that is safely on disk. */
export interface FinishedRecording {
  readonly byteSize: number;
  /** 64 hexadecimal digits. */
  readonly sha256: string;
  readonly durationMs: number;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly sampleCount: number;
  /** How much of the end was captured but not on disk yet when the server was killed. */
  readonly lostTailMs: number;
}

/** A finished object, as its record describes it. */
export interface VerifyOrder {
  readonly file: string;
  readonly byteSize: number;
  readonly sha256: string;
}

/** Questions to the finisher. `call` is a number that the gateway gives out. */
export type ToFinisher =
  | { readonly kind: 'finish'; readonly call: number; readonly order: FinishOrder }
  | { readonly kind: 'verify'; readonly call: number; readonly order: VerifyOrder }
  /** Ends the finisher when it has done what it does; nothing more is asked. */
  | { readonly kind: 'close' };

export type FromFinisher =
  | { readonly kind: 'finished'; readonly call: number; readonly recording: FinishedRecording }
  | { readonly kind: 'verified'; readonly call: number; readonly same: boolean }
  /** `cause`: words for the log. */
  | { readonly kind: 'fault'; readonly call: number; readonly fault: RecordingFaultFields; readonly cause?: string }
  /** Told now and then while work goes on; a finisher that falls silent in the middle hangs. */
  | { readonly kind: 'alive' };
