import { ACTION_LIMITS } from './action-limits.ts';
import { LINK_LIMITS } from './link-limits.ts';
import { OBSERVE_LIMITS } from './observe-limits.ts';
import { PAGE_LIMITS } from './page-limits.ts';
import { RATE_LIMITS } from './rate-limits.ts';
import { UI_LIMITS } from './ui-limits.ts';

/**
 * The limits that a client can reach, each with its unit in its name and its reason if it is not obvious. All code reads them
 * here. Limits that no client notices are beside their code.
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
  ...LINK_LIMITS,
  ...ACTION_LIMITS,
  ...UI_LIMITS,
  ...OBSERVE_LIMITS,

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

  /** Control of a session ends when who has it sends no input for this time. */
  controlLeaseMs: 30_000,
  /** One whose socket is lost keeps control for this time, to connect again. */
  controlGraceMs: 5_000,
  /** A request for control of one without a socket stands for this time; asked again, for as long again. */
  controlRequestMs: 60_000,
  /** Participants of one session that wait for control. */
  controlRequests: 16,
  /** Of a participant's name, as others are shown it. */
  participantLabelCharacters: 64,

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
  /** One message from a client with the role `view`: the longest waits for a long text and takes about 5 KiB. */
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

  /** Entries of a session's history; the oldest make room. A day of a tap every tenth of a second has fewer. */
  historyEntries: 1_000_000,
  /** Steps of one live gesture in the history. */
  historySteps: 1_000,
  /** Length of a page of the history, if it has more than one entry. */
  historyPageBytes: 262_144,
  /** The same in a message of the control socket. */
  historyMessageBytes: 32_768,

  /** The newest lines of a device's log that are kept for its session, and their characters. */
  logLines: 10_000,
  logCharacters: 4_194_304,
  /** Of one line; the rest of it is not kept. */
  logTextCharacters: 4_096,
  /** Of the report of a crash; the rest of it is not kept. */
  crashReportCharacters: 32_768,
  /** Length of a page of the log, if it has more than one line. */
  logPageCharacters: 262_144,

  /** A connection that lost its socket can be resumed for this time. */
  resumeWindowMs: 120_000,
  /** The newest messages to one client that are kept for it to resume, and their bytes. */
  resumeMessages: 4_096,
  resumeBytes: 1_048_576,
  /** Kept messages of all connections of one account; for more, its connections without a socket are given up, oldest first. */
  resumeBytesPerAccount: 67_108_864,
  /** Connections of one account without a socket; the one that lost its socket first makes room. */
  resumableConnectionsPerAccount: 4_096,
  /** Requests that `ready` lists when a connection could not be resumed: as many as a client has open. */
  pendingListed: 1_024,

  /** From creation to deletion. */
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
  /** A picture or a video for the photo library. */
  mediaBytes: 67_108_864,
  /** A file that is copied to a device or from it. */
  fileBytes: 67_108_864,
  /** The file systems of all devices have this bound. */
  fileNameBytes: 255,
  /** adb's file service takes 1,024 bytes, with those of the root. */
  filePathBytes: 1_000,
  /** Entries of a folder that are told. */
  filesListed: 1_000,
  assetsPerAccount: 1_000,
  /** Concurrent uploads of one account: each needs a file and some megabytes. */
  uploadsPerAccount: 8,

  snapshotsPerAccount: 100,
  snapshotBytesPerAccount: 268_435_456,
  /** One snapshot: its apps' icons are most of it. */
  snapshotBytes: 33_554_432,

  httpBodyBytes: 262_144,
  /** Calls of one protocol of others (MCP, WebDriver) that run at once for one account, or for all guests of one. */
  translatedCallsPerAccount: 16,
  /** One such call: longer than the start of a session. */
  translatedCallMs: 150_000,
  /** How long ended sessions (at least until their last recording is deleted) and revoked keys and programs are kept. */
  endedKeptMs: 2_592_000_000,
  /** A socket without any frame for this time, not even a pong, is closed. */
  socketIdleSeconds: 60,
  /** From the signal to the exit. */
  drainMsMax: 10_000,
} as const;
