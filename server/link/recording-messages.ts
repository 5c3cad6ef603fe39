import type { RecordingFaultFields } from './recording-fault.ts';

/** The messages about recordings, between the gateway and a device's host or the finisher. Plain data only. */

/** The files and the limits of a recording. The host creates the files; paths are absolute. */
export interface RecordingOrder {
  /** Fragmented MP4 that grows while the recording lasts. */
  readonly partFile: string;
  /** The journal: when each picture was shown, and how long the last one. */
  readonly journalFile: string;
  /** The recording ends successfully after this duration. */
  readonly maxDurationMs: number;
  /** The recording ends successfully when the disk has less free space than this beside the space that finalizing needs. */
  readonly headroomBytes: number;
}

/** A recording whose first picture is on disk. */
export interface RecordingStarted {
  /** Time of the first picture, since the Unix epoch. */
  readonly startedAtMs: number;
  /** Size of the video in pixels; it does not change when the device is turned later. */
  readonly width: number;
  readonly height: number;
}

/** `limit`: the longest recording was reached. `headroom`: the disk is nearly full. */
export type CaptureEndReason = 'stopped' | 'limit' | 'headroom';

/** A capture that ended successfully: its files are closed and on disk. */
export interface CaptureSummary {
  /** Since the Unix epoch. */
  readonly stoppedAtMs: number;
  /** From the first picture to the stop, including the time of the last picture. */
  readonly durationMs: number;
  readonly sampleCount: number;
  /** Size of the part file. */
  readonly bytes: number;
  readonly reason: CaptureEndReason;
}

/** How a capture ended by itself. After a fault the files hold everything until then and can still be finished. */
export type CaptureEnding =
  | { readonly summary: CaptureSummary }
  /** `cause`: details for the log. */
  | { readonly fault: RecordingFaultFields; readonly cause?: string };

/** A capture to finish. Paths are absolute. */
export interface FinishOrder {
  readonly partFile: string;
  readonly journalFile: string;
  /** The finished object; written atomically via `<targetFile>.tmp`. */
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
  /** Duration at the end that was captured but not on disk when the server was killed. */
  readonly lostTailMs: number;
}

/** A finished object as recorded in the database. */
export interface VerifyOrder {
  readonly file: string;
  readonly byteSize: number;
  readonly sha256: string;
}

/** A finished object to make the poster of. */
export interface PosterOrder {
  readonly file: string;
  /** Of the object as recorded in the database. */
  readonly byteSize: number;
}

/** An object store that speaks the S3 API. */
export interface ObjectStoreSettings {
  /** Origin of the store, as in `https://s3.eu-central-1.amazonaws.com`. */
  readonly url: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  /** Secret. */
  readonly secretAccessKey: string;
}

/** A stored object to write into a file. */
export interface GetOrder extends VerifyOrder {
  readonly key: string;
}

/** A finished object for the object store. */
export interface PutOrder extends GetOrder {
  /** The name under which browsers keep it: letters, digits, `_` and `.`. */
  readonly fileName: string;
  readonly mediaType: string;
}

/** A stored object that somebody is to get. */
export interface ReferOrder {
  readonly key: string;
  /** Of the object as recorded in the database. */
  readonly byteSize: number;
  readonly validSeconds: number;
}

/** A call to the object store; only `refer` tells something: an address. */
export type StoreOrder =
  | { readonly act: 'put'; readonly object: PutOrder }
  | { readonly act: 'get'; readonly object: GetOrder }
  | { readonly act: 'refer'; readonly object: ReferOrder }
  | { readonly act: 'delete'; readonly key: string }
  | { readonly act: 'reach' };

/** Calls to the finisher. The gateway assigns the number `call`. */
export type ToFinisher =
  | { readonly kind: 'finish'; readonly call: number; readonly order: FinishOrder }
  | { readonly kind: 'verify'; readonly call: number; readonly order: VerifyOrder }
  | { readonly kind: 'poster'; readonly call: number; readonly order: PosterOrder }
  | { readonly kind: 'store'; readonly call: number; readonly order: StoreOrder }
  /** Ends the finisher after its current work; no further calls follow. */
  | { readonly kind: 'close' };

export type FromFinisher =
  | { readonly kind: 'finished'; readonly call: number; readonly recording: FinishedRecording }
  | { readonly kind: 'verified'; readonly call: number; readonly same: boolean }
  | { readonly kind: 'poster-made'; readonly call: number; readonly jpeg: Uint8Array }
  | { readonly kind: 'store-done'; readonly call: number; readonly told?: string }
  /** `cause`: details for the log. */
  | { readonly kind: 'fault'; readonly call: number; readonly fault: RecordingFaultFields; readonly cause?: string }
  /** Heartbeat while work goes on; a finisher that stops sending it hangs. */
  | { readonly kind: 'alive' };
