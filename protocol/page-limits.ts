/** How long a page of a list may be; see `LIMITS`. */
export const PAGE_LIMITS = {
  /** Items in one answer of every list but that of recordings. */
  listed: { min: 1, max: 200, default: 50 },
  /** Recordings in one page of their list. */
  recordingsListed: { min: 1, max: 100, default: 100 },
  /** Lines of a device's log in one page. */
  logListed: { min: 1, max: 1_000, default: 200 },
  /** Maximum size of a page of those lists; it then ends early with a `next`, but has at least one item. */
  listAnswerBytes: 65_536,
  /** Longer lists of URL schemes are left out of the list of apps; read the app itself to get them. */
  listedSchemesBytes: 1_024,
} as const;
