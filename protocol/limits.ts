/**
 * The bounds that a client can meet, each with its unit in its name and, where it is not plain, the reason. The values of
 * the specification's section 8 are the contract; the rest protects the service. The code reads every one of them here.
 * Bounds that no client notices stand beside their code.
 */

/** A closed range and, where there is one, what stands in for an absent value. */
export interface Range {
  readonly min: number;
  readonly max: number;
  readonly default?: number;
}

export const LIMITS = {
  /** From acceptance to the terminal acknowledgement, the wait in the queue included. */
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
  textCharacters: { min: 1, max: 10_000 },
  /** UTF-16 code units, of which each takes three bytes of UTF-8 at most. */
  urlCharacters: { min: 1, max: 4_096 },

  sessionInactivityTimeoutMs: { min: 30_000, max: 86_400_000, default: 600_000 },
  sessionHardTimeoutMs: { min: 60_000, max: 86_400_000, default: 7_200_000 },
  /** A device that takes longer to become usable is given up. */
  sessionStartMsMax: 120_000,
  /** Clients are told this long before a session ends by itself. */
  sessionExpiringNoticeMs: 60_000,
  /** Sessions that an account may create in a second, on average, and at once after a while without any. */
  sessionCreationsPerSecond: 10,
  sessionCreationsAtOnce: 50,
  sessionLabels: 32,
  sessionLabelCharacters: { min: 1, max: 128 },
  sessionInstallAssets: 32,
  sessionEmbedOrigins: 16,
  /** A change that cannot be written down is answered after this time. */
  storeWaitMsMax: 400,

  /** How long an API key lives; without a `ttl` it lives until it is revoked. A year at most, so that keys get renewed. */
  keyTtlMs: { min: 60_000, max: 31_536_000_000 },
  keyNameCharacters: { min: 1, max: 64 },
  /** NIST SP 800-63B asks for 8 at least and for 64 to be possible; no other rule makes a password better. */
  passwordCharacters: { min: 10, max: 200 },
  /** RFC 5321, section 4.5.3.1.3, without the angle brackets. */
  emailCharacters: 254,
  /** How long a viewer link opens its session; never past the session's own hard end. */
  viewerLinkTtlMs: { min: 60_000, max: 86_400_000, default: 3_600_000 },
  /** Keys of one account that are not revoked; a list of more helps nobody to revoke the right one. */
  keysPerAccount: 100,
  /** Links of one session that are neither revoked nor expired; as with keys. */
  viewerLinksPerSession: 100,
  /** Programs of one address that wait to be let in: a person lets them in one after the other. */
  deviceRequestsPerAddress: 8,
  /** Days that an account's usage covers, today included. */
  usageDays: { min: 1, max: 90, default: 30 },

  screenFps: { min: 1, max: 60, default: 60 },
  screenLongEdgePixels: { min: 64, max: 8_192 },
  /** JPEG's quality; encoders of video take what comes closest. */
  screenQuality: { min: 1, max: 100, default: 80 },
  /** Screen streams of one socket. */
  screenStreamsPerSocket: 4,
  /** Different streams of one session: each has an encoder of its own. */
  screenProfilesPerSession: 16,
  /** Of these, as many are only for those who control: guests that only look are there for them, not in their place. */
  screenProfilesForControl: 4,

  /** Waiting interactions of one session; past it a caller is told to slow down instead of growing the queue. */
  queuedInteractions: 1_024,
  /** Brief interactions of one session that are with its host at once: a crossing for all of them instead of one for each. */
  interactionsAhead: 64,
  /** Callers that wait for one request, each by its own socket or call: every stage is told to all of them. */
  callersPerRequest: 64,
  /** Finished interactions remembered for callers that ask again with the same request id. */
  outcomesKept: 10_000,
  outcomeKeptMs: 600_000,
  /** Cancels that came before their request: remembered only for the time a reordered message may take. */
  earlyCancels: 256,
  earlyCancelKeptMs: 10_000,

  /** One message from a client: the longest gesture of two points takes about 75 KiB. */
  clientMessageBytes: 262_144,
  /** One message from a client that may only look: the longest names a recording and takes less than 1 KiB. */
  viewMessageBytes: 8_192,
  clientMessageDepth: 8,
  /** Map entries and array items together: 1,000 steps of two points need about 10,000. */
  clientMessageEntries: 16_384,
  /** Keys are field names; the longest, `idempotencyKey`, has 14 characters. */
  clientKeyBytes: 64,
  /** Keys that are no field of any message. Each is as dear to decode as a hundred that are. */
  clientUnknownKeys: 64,
  /** Shorter messages and bodies are read where they come; longer ones wait for their account's turn. */
  lightBytes: 4_096,
  /** Messages and bodies of one account that wait for its turn, together. */
  waitingBytesPerAccount: 16_777_216,
  /** Unsent acknowledgements and events of one socket; past it the client does not read and is closed with 4408. */
  unsentBytes: 4_194_304,
  /** Refused messages (undecodable fields, wrong role) of one socket within a minute before it is closed with 1008. */
  refusedMessagesPerMinute: 1_000,
  /**
   * Messages of one key or link, on all of its sockets, that are refused within a minute because there are too many; past
   * it a socket that sends one more is closed with 1008.
   */
  overloadsPerMinute: 1_000,
  /** How long the key or link then opens no socket: the first time, and at most when it goes on. */
  floodWaitMs: { min: 5_000, max: 60_000 },
  /** Sockets that one key or link may open in a second; as many as a session has, and these, at once. */
  socketsOpenedPerSecond: 100,
  /** Acknowledgements of pictures, and pings and pongs of WebSocket's own, of one socket; above it they count as messages. */
  freeFramesPerSecond: 250,

  /** Recordings in one answer of their list: as many as the specification's section 4.1 names, unless fewer are asked for. */
  recordingsListed: { min: 1, max: 100, default: 100 },
  /** From creation to deletion (specification, section 2.2). */
  recordingRetentionMs: 604_800_000,
  /** A deleted recording's record can be read by id for this time. */
  recordingRecordKeptMs: 2_592_000_000,
  /** A device whose screen cannot be captured by then does not hold its caller any longer. */
  recordingStartMsMax: 15_000,
  /** A stop answers then, with the recording as it is. */
  recordingStopWaitMsMax: 15_000,
  /** A failed finalization is tried again until it has been tried this often. */
  recordingFinalizeTries: 5,
  /** How long the address behind a download is good for. */
  recordingReferenceMs: 60_000,
  /** One uploaded package. */
  assetBytes: 2_147_483_648,
  assetsPerAccount: 1_000,
  /** Uploads of one account that are on their way: each holds a file and some megabytes. */
  uploadsPerAccount: 8,

  /** Callers of one session that wait for a screenshot: each answer is a copy of about a megabyte. */
  pendingScreenshots: 64,
  /** Of these, as many only for those who control. */
  pendingScreenshotsForControl: 16,

  httpBodyBytes: 262_144,
  /** Ended sessions (and until their last recording is forgotten), and keys and programs that were shut out, stay known. */
  endedKeptMs: 2_592_000_000,
  /** Items in one answer of every other list. */
  listed: { min: 1, max: 200, default: 50 },
  /** An answer of those lists ends early, with a `next`, rather than grow beyond this; one item is always in it. */
  listAnswerBytes: 65_536,
  /** Declarations of an app that are longer are left out of the list of apps; reading the app tells them. */
  listedSchemesBytes: 1_024,
  /** Sockets of one session, viewers included. */
  socketsPerSession: 2_000,
  /** Of these, as many only for those who control. */
  socketsForControl: 100,
  /** Calls, and below messages, of one key or link, unless `RUNCLOUD_RATE_LIMIT` says otherwise. */
  restCallsPerSecond: 5_000,
  /**
   * Calls of one network address that need no key, or come with a wrong one. Pages load a few files each; a stranger must
   * not take the gateway's thread from those who have sockets.
   */
  keylessCallsPerSecond: 200,
  socketMessagesPerSecond: 20_000,
  /** Bytes of bodies, and as many of messages, of one key: as much as half of the gateway's thread copies and reads. */
  bytesPerSecond: 16_777_216,
  /** Milliseconds of the gateway's thread that calls of one key may take of a second, and messages as many. */
  workMsPerSecond: 200,
  /** Times what one key may do, for all keys and links of an account together. */
  allowancesPerAccount: 4,
  /** A socket that says nothing, not even the ping's answer, is taken for lost. */
  socketIdleSeconds: 60,
  /** From the signal to the exit. */
  drainMsMax: 10_000,
} as const;
