/** What the dashboard reads of recordings and apps. */

export interface RecordingFailure {
  readonly message: string;
  readonly action?: string;
  readonly retryable?: boolean;
  readonly nextAttemptAt?: string;
}

export interface RecordingRecord {
  readonly id: string;
  readonly sessionId: string;
  readonly status: 'starting' | 'recording' | 'finalizing' | 'ready' | 'failed' | 'deleting' | 'deleted';
  readonly createdAt: string;
  readonly failure?: RecordingFailure;
  readonly byteSize?: number;
  readonly durationMs?: number;
  readonly retentionExpiresAt?: string;
  /** Relative to the server's address. */
  readonly downloadUrl?: string;
}

export interface AssetRecord {
  readonly id: string;
  readonly platform: 'ios' | 'android';
  readonly name: string;
  readonly identifier: string;
  readonly version: string;
  readonly byteSize: number;
  /** Absent where they are too long for a list. */
  readonly urlSchemes?: readonly string[];
  readonly createdAt: string;
}
