/**
 * How much of a session its links may take: each viewer link, and the link that comes with the session. The owner's keys always have
 * room, whatever the links do, and each link has some, whatever the others do. See `LIMITS`.
 */
export const LINK_LIMITS = {
  /** Sockets of one session, viewers included. */
  socketsPerSession: 2_000,
  /** Of these, as many only for the account's keys. */
  socketsForKeys: 100,
  /** Sockets of one link to one session. */
  socketsPerLink: 500,
  /** Of the session's sockets, as many are kept for the link that comes with the session. */
  socketsKeptForSessionLink: 100,
  /** Of the session's sockets, as many are kept for each viewer link. */
  socketsKeptPerViewerLink: 8,
  /** Sockets that one link may open in a second; as many as it may have, and these, at once. Opening costs more than a message. */
  linkSocketsOpenedPerSecond: 25,

  /** Different streams of one session: each has an encoder of its own. */
  screenProfilesPerSession: 16,
  /** Of these, as many only for the account's keys. */
  screenProfilesForKeys: 4,
  /** Different streams that one link may start. */
  screenProfilesPerLink: 4,
  /** Streams that a link may start in a second: each costs an encoder, where input is performed too. */
  screenStartsPerSecond: 4,

  /** Callers of one session that wait for a screenshot: each answer is a copy of about a megabyte. */
  pendingScreenshots: 64,
  /** Of these, as many only for the account's keys. */
  pendingScreenshotsForKeys: 16,
  /** Of these, as many of one link. */
  pendingScreenshotsPerLink: 8,
  /** Of these, as many are kept for the link that comes with the session. */
  pendingScreenshotsKeptForSessionLink: 8,
  /** Screenshots that a link may ask for in a second. */
  screenshotsPerSecond: 10,

  /** Waits for something on the screen of one session: a look at it serves all of them. */
  uiWaits: 64,
  /** Of these, as many only for the account's keys. */
  uiWaitsForKeys: 16,
  /** Of these, as many of one link. */
  uiWaitsPerLink: 8,
  /** Of these, as many are kept for the link that comes with the session. */
  uiWaitsKeptForSessionLink: 8,

  /** Queued interactions of one session; beyond that callers get `rate_limited`. */
  queuedInteractions: 1_024,
  /** Of these, as many only for the account's keys. */
  queuedInteractionsForKeys: 256,
  /** Of these, as many of one link. */
  queuedInteractionsPerLink: 64,
  /** Of these, as many are kept for the link that comes with the session, and for each viewer link. */
  queuedInteractionsKeptPerLink: 4,
  /** Interactions that a link may ask for in a second; the steps of a live gesture are no interactions of their own. */
  interactionsPerSecond: 250,
} as const;
