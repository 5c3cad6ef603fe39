import type { Platform } from '../../protocol/platforms.ts';

/** Records of recordings, uploaded apps and snapshots. */

export type RecordingStatus = 'starting' | 'recording' | 'finalizing' | 'ready' | 'failed' | 'deleting' | 'deleted';

/** Why a recording failed. */
export interface RecordingFailure {
  readonly stage: 'prepare' | 'capture' | 'finalize' | 'verify' | 'store' | 'retention';
  readonly code:
    | 'capture_start_failed'
    | 'capture_interrupted'
    | 'no_frames_captured'
    | 'encoder_failed'
    | 'container_invalid'
    | 'storage_full'
    | 'storage_error'
    | 'device_lost';
  readonly message: string;
  /** Advice on what you can do next. */
  readonly action: string;
  readonly retryable: boolean;
  /** Time of the service's next automatic retry. */
  readonly nextAttemptAt?: string;
}

/** One event in the life cycle of a recording; `status` is the status after it. */
export interface RecordingEvent {
  readonly id: string;
  readonly type:
    | 'created'
    | 'capture_started'
    | 'stop_requested'
    | 'capture_stopped'
    | 'container_verified'
    | 'stored'
    | 'ready'
    | 'failed'
    | 'retry_scheduled'
    | 'recovered'
    | 'retention_started'
    | 'deleted';
  readonly at: string;
  readonly status: RecordingStatus;
  readonly detail?: string;
}

/** A recording of a session's display; times are ISO 8601, UTC, with milliseconds. */
export interface RecordingRecord {
  readonly id: string;
  readonly sessionId: string;
  readonly organizationId: string;
  readonly status: RecordingStatus;
  readonly createdAt: string;
  readonly startedAt?: string;
  readonly stoppedAt?: string;
  readonly failure?: RecordingFailure;
  /** This and the following fields are present only in `ready` recordings. */
  readonly contentType?: 'video/mp4';
  readonly byteSize?: number;
  /** `sha256:` and 64 hex digits. */
  readonly checksum?: string;
  readonly etag?: string;
  readonly durationMs?: number;
  readonly readyAt?: string;
  readonly retentionExpiresAt?: string;
  /** Relative to the base address; needs the key. */
  readonly downloadUrl?: string;
}

/** The answer to the read of one recording. */
export interface RecordingDetails extends RecordingRecord {
  /** Oldest first. */
  readonly events: readonly RecordingEvent[];
}

/** An uploaded app with the metadata of its package. */
export interface AssetRecord {
  readonly id: string;
  readonly platform: Platform;
  readonly name: string;
  /** Bundle identifier or package name. */
  readonly identifier: string;
  readonly version: string;
  readonly byteSize: number;
  /** `sha256:` and 64 hex digits. */
  readonly checksum: string;
  readonly urlSchemes: readonly string[];
  readonly createdAt: string;
}

/** An uploaded app as an item of a list. */
export interface AssetSummary extends Omit<AssetRecord, 'urlSchemes'> {
  /** Absent if they are too long for a list; read the asset itself then. */
  readonly urlSchemes?: readonly string[];
}

/** The kept state of a device. */
export interface SnapshotRecord {
  readonly name: string;
  readonly platform: Platform;
  /** A session from the snapshot gets a device of this model. */
  readonly model: string;
  readonly driver: string;
  /** The session whose device it was. */
  readonly sessionId: string;
  readonly byteSize: number;
  /** `sha256:` and 64 hex digits. */
  readonly checksum: string;
  readonly createdAt: string;
}

/** A picture or a video that was added to the photo library. */
export interface AddedMedia {
  /** Its name on the device, which the service has chosen. */
  readonly name: string;
  /** As its content tells. */
  readonly mediaType: string;
  readonly byteSize: number;
  /** Whether the library was then seen to have it; iOS Simulators only tell that they took it. */
  readonly readBack: boolean;
}

/** What is in a folder of a device. */
export interface FileEntry {
  /** Byte for byte as the device has it; make control characters harmless before you print it. */
  readonly name: string;
  /** `link`: a symbolic link, which is not followed. */
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** Of a file. */
  readonly byteSize?: number;
  /** Its last change, where the device tells; ISO 8601, UTC, with milliseconds. */
  readonly modifiedAt?: string;
}

/** A folder of a device. */
export interface FileList {
  /** `shared`, or `app:` and the identifier of an app. */
  readonly root: string;
  readonly path: string;
  /** By name. */
  readonly entries: readonly FileEntry[];
  /** Present if there are more than 1,000. */
  readonly truncated?: true;
  /** How many entries have names that are no UTF-8, and are not told. */
  readonly unnamed?: number;
}

/** A file that the device has, as it tells. */
export interface PushedFile {
  readonly root: string;
  readonly path: string;
  readonly byteSize: number;
  readonly modifiedAt?: string;
}

/** What the device has no more. */
export interface DeletedFile {
  readonly root: string;
  readonly path: string;
  readonly kind: FileEntry['kind'];
}
