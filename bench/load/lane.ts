/** One connection under load. Answers come in the order of the requests; both transports promise that. */
export interface Lane {
  /** Sends the next request. */
  send(): void;
  close(): void;
}

export interface LaneEvents {
  /** One request was answered successfully. */
  answered(): void;
  /** The connection or an answer failed, so the job is invalid. */
  failed(error: Error): void;
}

/** Opens one connection, ready for requests. */
export type OpenLane = (lane: number, events: LaneEvents) => Promise<Lane>;
