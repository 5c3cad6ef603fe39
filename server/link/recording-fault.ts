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
  /** For the caller's eyes: it names no file of ours. */
  readonly message: string;
  /** The same question may be answered well later. */
  readonly retryable: boolean;
}

/**
 * Why a recording could not be made, finished or verified. What is on disk by then can still be finished. Its `cause` is for
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

/** A recording that went with its device. What it had written by then can be finished. */
export const recordingLost = (reason: string): RecordingFaultFields => ({
  stage: 'capture',
  code: 'device_lost',
  message: `The device was lost while it was recorded: ${reason}.`,
  retryable: false,
});
