/** Excluded from the start of each measurement of requests, because of a fresh connection and cold caches. */
export const WARM_UP_MS = 80;

/**
 * Round 0 of each row of requests is so many times as long as a round: a service that has run for minutes has compiled its code, and
 * its heap has the size that the load needs.
 */
export const WARM_UP_TIMES = 2;
