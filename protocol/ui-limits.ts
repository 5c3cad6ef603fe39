/** Bounds of the tree of what is on the screen. Apps choose what it holds: none of them is a friend. */
export const UI_LIMITS = {
  /** Elements of one tree; the rest is left out, and the tree says so. */
  uiNodes: 5_000,
  /** Elements within elements. */
  uiDepth: 128,
  /** Unicode characters of a name or an id. */
  uiNameCharacters: 200,
  /** Unicode characters of a value. */
  uiValueCharacters: 1_000,
  /** UTF-16 units of all names and values of one tree together: an answer is made on the gateway's thread. */
  uiTextUnits: 200_000,
  /** Bytes of an outline in UTF-8. */
  uiOutlineBytes: 20_000,
  /** Reads of one session's tree; each may be long. */
  uiReadsPerSecond: 50,
} as const;
