/** Records of recordings and uploaded apps (specification, section 2.2). */

export type RecordingStatus = 'starting' | 'recording' | 'finalizing' | 'ready' | 'failed' | 'deleting' | 'deleted';

export interface RecordingFailure {
  readonly stage: string;
  readonly code: string;
  readonly message: string;
  /** What can be done next. */
  readonly action?: string;
  readonly retryable: boolean;
  /** When the service tries again by itself. */
  readonly nextAttemptAt?: string;
}

export interface RecordingEvent {
  readonly id: string;
  readonly type: string;
  readonly at: string;
  readonly status: RecordingStatus;
  readonly detail?: unknown;
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
  /** Of the single read alone. */
  readonly events?: readonly RecordingEvent[];
  /** From here on: of `ready` recordings. */
  readonly contentType?: string;
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

export interface AssetRecord {
  readonly id: string;
  readonly platform: string;
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
