/** The stage at which a recording failed. */
export type RecordingStage = 'prepare' | 'capture' | 'finalize' | 'verify' | 'store' | 'retention';

export type RecordingFaultCode =
  | 'capture_start_failed'
  | 'capture_interrupted'
  | 'no_frames_captured'
  | 'encoder_failed'
  | 'container_invalid'
  | 'storage_full'
  | 'storage_error'
  | 'device_lost';

/** A fault as it crosses the link. */
export interface RecordingFaultFields {
  readonly stage: RecordingStage;
  readonly code: RecordingFaultCode;
  /** The sentence for callers: it must not contain a path. */
  readonly message: string;
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
}

/**
 * Why a recording could not be captured, finished or verified. The files on disk can still be finished. Its `cause` is only for
 * the log.
 */
export class RecordingFault extends Error implements RecordingFaultFields {
  readonly stage: RecordingStage;
  readonly code: RecordingFaultCode;
  readonly retryable: boolean;

  constructor({ stage, code, message, retryable }: RecordingFaultFields, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.name = 'RecordingFault';
    this.stage = stage;
    this.code = code;
    this.retryable = retryable;
  }

  /** The fault as plain data, without its cause. */
  get fields(): RecordingFaultFields {
    const { stage, code, message, retryable } = this;
    return { stage, code, message, retryable };
  }
}

/** The fault of a recording whose device was lost. The files written until then can be finished. */
export const recordingLost = (reason: string): RecordingFaultFields => ({
  stage: 'capture',
  code: 'device_lost',
  message: `The device was lost while it was recorded: ${reason.replace(/\.$/, '')}.`,
  retryable: false,
});
