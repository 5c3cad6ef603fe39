/**
 * The bounds of actions and of their fields; see `LIMITS`. They stand by themselves since the small script for embedding pages needs
 * them alone.
 */
export const ACTION_LIMITS = {
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
  /** Unicode code points, as many as can be inserted; of a longer text in the clipboard only these are read. */
  clipboardCharacters: { min: 0, max: 10_000 },
  /** UTF-16 code units of each text that describes an element of the screen. */
  targetCharacters: { min: 1, max: 200 },
  targetIndex: { min: 0, max: 4_999 },
  /** UTF-16 code units of a text or value that an element is expected to have. */
  expectedCharacters: { min: 0, max: 1_000 },
  /** For the element of an action on one. */
  waitMs: { min: 0, max: 30_000, default: 2_000 },
  /** `waitMs` of an action that scrolls until an element is there, where nothing is said. */
  scrollToMs: 10_000,
  /** UTF-16 code units, of which each takes three bytes of UTF-8 at most. */
  urlCharacters: { min: 1, max: 4_096 },
  /** Bundle identifiers (iOS) and package names (Android). */
  appIdCharacters: { min: 1, max: 255 },
  launchArguments: 32,
  /** UTF-16 code units of each value. */
  launchArgumentCharacters: 1_024,
  /** As JSON in UTF-8; the most that Apple Push Notification service takes. */
  pushPayloadBytes: 4_096,
  /** Degrees and metres of a location. */
  latitude: { min: -90, max: 90 },
  longitude: { min: -180, max: 180 },
  altitudeM: { min: -1_000, max: 100_000 },
  accuracyM: { min: 0, max: 100_000 },
  routePoints: { min: 2, max: 500 },
  /** Of a location on a route. */
  speedMPerS: { min: 0.1, max: 10_000 },
  /** 0 is no limit, as the emulator's console has it. */
  networkKbps: { min: 0, max: 1_000_000 },
  networkDelayMs: { min: 0, max: 60_000 },
  networkLossPercent: { min: 0, max: 100 },
  textScale: { min: 0.5, max: 4 },
  /** Apps in one list; devices have less. */
  appsListed: 500,
} as const;
