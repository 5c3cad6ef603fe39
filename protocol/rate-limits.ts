/** How much a caller may do in a time. `RUNCLOUD_RATE_LIMIT` changes those of calls and messages; see `LIMITS`. */
export const RATE_LIMITS = {
  /** Rate limit of an account's session creations per second, and its burst. */
  sessionCreationsPerSecond: 10,
  sessionCreationsAtOnce: 50,
  /** Default rate limit of REST calls of one key or link; see `RUNCLOUD_RATE_LIMIT`. */
  restCallsPerSecond: 5_000,
  /**
   * Rate limit of unauthenticated calls of one network address. Pages load a few files each; unauthenticated callers must not take
   * the gateway's thread from clients with sockets.
   */
  keylessCallsPerSecond: 200,
  socketMessagesPerSecond: 20_000,
  /** The most that one viewer link, or those who only watch by one, may send: a finger that is drawn is 120 a second. */
  guestMessagesPerSecond: 2_000,
  /** Bytes of bodies of one key, and the same of messages: what half of the gateway's thread can copy and read. */
  bytesPerSecond: 16_777_216,
  /** Milliseconds of the gateway's thread per second for calls of one key, and the same for messages. */
  workMsPerSecond: 200,
  /** Factor of the rate limits for all keys and links of an account together. */
  allowancesPerAccount: 4,
  /** Reads and writes of the clipboard of one session: each answer may be as long as 10,000 characters. */
  clipboardCallsPerSecond: 100,
  /** Requests for control, and withdrawals, of all viewer links of one session; and changes of control that are told one by one. */
  controlCallsPerSecond: 10,
  /**
   * Acknowledgements of pictures, and pings and pongs of WebSocket's own, of one socket. Above it acknowledgements count as messages,
   * and a ping or pong closes the socket.
   */
  freeFramesPerSecond: 250,
  /**
   * A socket closed for its pings counts as so many messages that are refused because there are too many: nothing refuses a ping, and
   * a client could open its sockets again and again for more.
   */
  refusalsPerPingFlood: 100,
  /** Sockets that one key may open in a second; as many as a session has, and these, at once. */
  socketsOpenedPerSecond: 100,
  /** A refusal of one opening too many comes after this time: who tries again at once does so once a second on each connection. */
  refusedOpeningMs: 1_000,
  /** A refusal of a REST call that is too much, or that wants what is taken, comes after this time: less than any `Retry-After`. */
  refusedCallMs: 250,
  /** Refused messages (undecodable fields, wrong role) of one socket within a minute before it is closed with 1008. */
  refusedMessagesPerMinute: 1_000,
  /**
   * Messages of one key or link, on all of its sockets, that are refused within a minute because there are too many; past
   * it a socket that sends one more is closed with 1008.
   */
  overloadsPerMinute: 1_000,
  /** How long the key or link then cannot open sockets: the first time, and at most if it continues. */
  floodWaitMs: { min: 10_000, max: 60_000 },
} as const;
