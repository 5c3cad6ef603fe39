import type { Platform } from '../../protocol/platforms.ts';

/** Records of recordings and uploaded apps (specification, section 2.2). */

export type RecordingStatus = 'starting' | 'recording' | 'finalizing' | 'ready' | 'failed' | 'deleting' | 'deleted';

/** Why a recording is not what it was meant to be (specification, section 7.5). */
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
  /** What can be done next. */
  readonly action: string;
  readonly retryable: boolean;
  /** When the service tries again by itself. */
  readonly nextAttemptAt?: string;
}

/** One step in the life of a recording; `status` is the one that it led to. */
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

export interface RecordingRecord {
  readonly id: string;
  readonly sessionId: string;
  readonly organizationId: string;
  readonly status: RecordingStatus;
  readonly createdAt: string;
  readonly startedAt?: string;
  readonly stoppedAt?: string;
  readonly failure?: RecordingFailure;
  /** From here on: of `ready` recordings. */
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

/** An uploaded app, as its package describes it. */
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

/** An uploaded app, as the list of them tells of it. */
export interface AssetSummary extends Omit<AssetRecord, 'urlSchemes'> {
  /** Absent where they are too long for a list: then the asset itself tells them. */
  readonly urlSchemes?: readonly string[];
}
