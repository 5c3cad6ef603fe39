/** Bounds of an observation; see `LIMITS`. */
export const OBSERVE_LIMITS = {
  /** A device that shows nothing new for this long after it took an input has not changed. */
  observedWithinMs: 500,
  /** A screen that goes on moving after an input is left to it. */
  observedSettlingMs: 2_000,
  /** The whole observation, from the acknowledgement on; then it ends as `unknown`. */
  observationMs: 10_000,
  /** UTF-8 bytes of the difference of the outline. */
  observedTreeBytes: 4_000,
} as const;
