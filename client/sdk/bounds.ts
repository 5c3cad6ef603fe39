/** Limits of time and size for calls, whatever the service or the network does: past them a call fails. */
export interface Bounds {
  /** Milliseconds for a call that the service answers at once, including retries. */
  readonly answerMs: number;
  /** Milliseconds for a call that waits for a device: starting or stopping a recording, releasing a session. */
  readonly workMs: number;
  /** Milliseconds for a new session. */
  readonly createMs: number;
  /** Milliseconds until the control socket is open. */
  readonly connectMs: number;
  /** Milliseconds until a lost control socket is given up. */
  readonly reconnectMs: number;
  /** Milliseconds beyond the service's own timeout of an interaction, for the round trip. */
  readonly graceMs: number;
  /** Milliseconds within which a transfer must progress by `FILE_STEP_BYTES`, in either direction. */
  readonly silenceMs: number;
  /** Milliseconds from the last byte of an upload to its answer. */
  readonly uploadedMs: number;
  /** Bytes of a JSON answer. */
  readonly jsonBytes: number;
  /** Bytes of a failure's answer. */
  readonly failureBytes: number;
  /** Bytes of a screenshot or a poster. */
  readonly screenshotBytes: number;
  /** Bytes of a file that is held in memory. */
  readonly heldBytes: number;
  /** Bytes of a file that is streamed. */
  readonly fileBytes: number;
}

export const BOUNDS: Bounds = {
  answerMs: 30_000,
  // The service gives a capture 15 s to start or to end, and asks each tool of its host for at most 10 s.
  workMs: 60_000,
  // The service gives up a device that is not usable after 120 s.
  createMs: 150_000,
  connectMs: 15_000,
  reconnectMs: 30_000,
  graceMs: 2_000,
  silenceMs: 60_000,
  // A package is read behind those of others.
  uploadedMs: 180_000,
  // 200 sessions with all that they may carry have about 2 MiB.
  jsonBytes: 16 * 1_048_576,
  // The envelope has less than a kibibyte.
  failureBytes: 65_536,
  // A display of 1,500 by 3,300 pixels without any compression has 20 MiB.
  screenshotBytes: 64 * 1_048_576,
  heldBytes: 2_000_000_000,
  fileBytes: 64 * 1_073_741_824,
};

/** Bytes by which a transfer must progress in each `silenceMs`: a byte now and then counts as a stalled transfer. */
export const FILE_STEP_BYTES = 65_536;
