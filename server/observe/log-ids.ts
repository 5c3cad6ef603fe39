/** The ids that a line of the log names: of what it is about, as far as that is known. */
export interface LogIds {
  readonly sessionId?: string;
  readonly recordingId?: string;
  readonly requestId?: string;
  readonly deviceId?: string;
  /** In a fleet: of the channel between edge and host, which both call so. */
  readonly channelId?: string;
}

/** Takes a fault of ours, for the log. */
export type OnFault = (error: unknown, about?: LogIds) => void;
