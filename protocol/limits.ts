import { PAGE_LIMITS } from './page-limits.ts';
import { RATE_LIMITS } from './rate-limits.ts';

/**
 * The limits that a client can reach, each with its unit in its name and its reason if it is not obvious. The values of the
 * specification's section 8 are the contract; the others protect the service. All code reads them here. Limits that no client
 * notices are beside their code.
 */

/** A closed range with an optional default. */
export interface Range {
  readonly min: number;
  readonly max: number;
  readonly default?: number;
}

export const LIMITS = {
  ...RATE_LIMITS,
  ...PAGE_LIMITS,

  /** From acceptance to the terminal acknowledgement, including the time in the queue. */
  interactionTimeoutMs: { min: 100, max: 60_000, default: 15_000 },
  requestIdCharacters: { min: 1, max: 128 },
  idempotencyKeyCharacters: { min: 1, max: 200 },

  gestureSteps: { min: 2, max: 1_000 },
  gesturePoints: { min: 1, max: 2 },
  gestureDelayMs: { min: 0, max: 5_000 },
  swipeDurationMs: { min: 50, max: 30_000, default: 300 },
  holdDurationMs: { min: 20, max: 30_000, default: 50 },
  scrollDelta: { min: -1, max: 1 },
  crownDelta: { min: -10_000, max: 10_000 },
  /** US ASCII for `typeText`, Unicode code points for `insertText`. */
  textCharacters: { min: 1, max: 10_000 },
  /** UTF-16 code units, of which each takes three bytes of UTF-8 at most. */
  urlCharacters: { min: 1, max: 4_096 },

  sessionInactivityTimeoutMs: { min: 30_000, max: 86_400_000, default: 600_000 },
  sessionHardTimeoutMs: { min: 60_000, max: 86_400_000, default: 7_200_000 },
  /** Time limit for a device to become ready. */
  sessionStartMsMax: 120_000,
  /** Clients get `session.expiring` this long before a session times out. */
  sessionExpiringNoticeMs: 60_000,
  sessionLabels: 32,
  sessionLabelCharacters: { min: 1, max: 128 },
  sessionInstallAssets: 32,
  sessionEmbedOrigins: 16,
  /** A change that cannot be stored is answered after this time. */
  storeWaitMsMax: 400,

  /** Lifetime of an API key; without a `ttl` it is valid until it is revoked. At most a year, so that keys are renewed. */
  keyTtlMs: { min: 60_000, max: 31_536_000_000 },
  keyNameCharacters: { min: 1, max: 64 },
  /** NIST SP 800-63B requires at least 8 and support for 64, and advises against further rules. */
  passwordCharacters: { min: 10, max: 200 },
  /** RFC 5321, section 4.5.3.1.3, without the angle brackets. */
  emailCharacters: 254,
  /** Lifetime of a viewer link; limited by the session's hard timeout. */
  viewerLinkTtlMs: { min: 60_000, max: 86_400_000, default: 3_600_000 },
  /** Keys of one account that are not revoked; in a longer list it is hard to find the right one to revoke. */
  keysPerAccount: 100,
  /** Links of one session that are neither revoked nor expired; as with keys. */
  viewerLinksPerSession: 100,
  /** Pending device authorizations of one address; a user approves them one by one. */
  deviceRequestsPerAddress: 8,
  /** Days of an account's usage, including today. */
  usageDays: { min: 1, max: 90, default: 30 },

  /** Names are the device's own, such as the number that Android gives a panel. */
  displayNameCharacters: { min: 1, max: 64 },
  screenFps: { min: 1, max: 60, default: 60 },
  screenLongEdgePixels: { min: 64, max: 8_192 },
  /** JPEG quality; video encoders use the closest equivalent. */
  screenQuality: { min: 1, max: 100, default: 80 },
  /** Screen streams of one socket. */
  screenStreamsPerSocket: 4,
  /** Different streams of one session: each has an encoder of its own. */
  screenProfilesPerSession: 16,
  /** Of these, the number reserved for the role `control`, so that viewers cannot use up all of them. */
  screenProfilesForControl: 4,

  /** Queued interactions of one session; beyond that callers get `rate_limited`. */
  queuedInteractions: 1_024,
  /** Brief interactions of one session that are with its host at once: a crossing for all of them instead of one for each. */
  interactionsAhead: 64,
  /** Callers that wait for one request; every stage is sent to all of them. */
  callersPerRequest: 64,
  /** Outcomes kept for repeated request ids. */
  outcomesKept: 10_000,
  outcomeKeptMs: 600_000,
  /** Cancels that arrived before their request, kept for the time that a reordered message may take. */
  earlyCancels: 256,
  earlyCancelKeptMs: 10_000,

  /** One message from a client: the longest gesture of two points takes about 75 KiB. */
  clientMessageBytes: 262_144,
  /** One message from a client with the role `view`: the longest names a recording and takes less than 1 KiB. */
  viewMessageBytes: 8_192,
  clientMessageDepth: 8,
  /** Map entries and array items together: 1,000 steps of two points need about 10,000. */
  clientMessageEntries: 16_384,
  /** Keys are field names; the longest, `idempotencyKey`, has 14 characters. */
  clientKeyBytes: 64,
  /** Unknown keys of one message: decoding one costs as much as a hundred known keys. */
  clientUnknownKeys: 64,
  /** Shorter messages and bodies are read at once; longer ones wait for their account's time slice. */
  lightBytes: 4_096,
  /** Total size of the messages and bodies of one account that wait for its time slice. */
  waitingBytesPerAccount: 16_777_216,
  /** Unsent acknowledgements and events of one socket; beyond that the socket is closed with 4408. */
  unsentBytes: 4_194_304,

  /** From creation to deletion (specification, section 2.2). */
  recordingRetentionMs: 604_800_000,
  /** A deleted recording's record can be read by id for this time. */
  recordingRecordKeptMs: 2_592_000_000,
  /** A start is answered after this time even if the screen cannot be captured. */
  recordingStartMsMax: 15_000,
  /** A stop is answered after this time even if the recording is not finalized. */
  recordingStopWaitMsMax: 15_000,
  /** Maximum number of tries to finalize a recording. */
  recordingFinalizeTries: 5,
  /** Lifetime of the address that a download redirects to. */
  recordingReferenceMs: 60_000,
  /** One uploaded package. */
  assetBytes: 2_147_483_648,
  assetsPerAccount: 1_000,
  /** Concurrent uploads of one account: each needs a file and some megabytes. */
  uploadsPerAccount: 8,

  /** Callers of one session that wait for a screenshot: each answer is a copy of about a megabyte. */
  pendingScreenshots: 64,
  /** Of these, as many only for those who control. */
  pendingScreenshotsForControl: 16,

  httpBodyBytes: 262_144,
  /** How long ended sessions (at least until their last recording is deleted) and revoked keys and programs are kept. */
  endedKeptMs: 2_592_000_000,
  /** Sockets of one session, viewers included. */
  socketsPerSession: 2_000,
  /** Of these, as many only for those who control. */
  socketsForControl: 100,
  /** A socket without any frame for this time, not even a pong, is closed. */
  socketIdleSeconds: 60,
  /** From the signal to the exit. */
  drainMsMax: 10_000,
} as const;
