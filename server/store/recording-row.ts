import type {
  Platform,
  RecordingEventType,
  RecordingFailureCode,
  RecordingStage,
  RecordingStatus,
} from '@runcloud/protocol';

/** Why a recording failed, as it is kept. */
export interface RecordingFailureRow {
  readonly stage: RecordingStage;
  readonly code: RecordingFailureCode;
  readonly message: string;
  readonly retryable: boolean;
}

export interface RecordingRow {
  readonly id: string;
  readonly sessionId: string;
  readonly accountId: string;
  readonly organizationId: string;
  readonly platform: Platform;
  readonly status: RecordingStatus;
  /** Unique within the session. */
  readonly idempotencyKey?: string;
  readonly createdAtMs: number;
  readonly retentionExpiresAtMs: number;
  readonly startedAtMs?: number;
  readonly stoppedAtMs?: number;
  readonly readyAtMs?: number;
  readonly deletedAtMs?: number;
  readonly byteSize?: number;
  /** 64 lower-case hexadecimal digits. */
  readonly sha256?: string;
  readonly durationMs?: number;
  /** Where the object is in the object store; absent where it is on the disk. */
  readonly objectKey?: string;
  readonly failure?: RecordingFailureRow;
  /** When a failed finalization is tried again; absent when it is not. */
  readonly nextAttemptAtMs?: number;
  /** Finalizations that were begun, those after a restart not counted. */
  readonly tries: number;
  /** Restarts that found this recording unfinished. */
  readonly recoveries: number;
}

/** One step in the life of a recording. */
export interface RecordingEventRow {
  readonly id: string;
  readonly type: RecordingEventType;
  readonly atMs: number;
  /** The status that the step led to, or left as it was. */
  readonly status: RecordingStatus;
  readonly detail?: string;
}
