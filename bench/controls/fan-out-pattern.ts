/** The stream of the bare fan-out: packets of the same sizes and at the same rate as in the service's own stream. */
export interface FanOutPattern {
  /** Bytes of each packet in order, including its header; repeated from the start after the last. */
  readonly sizes: readonly number[];
  readonly perSecond: number;
}

/** Paths of the bare fan-out, one for each way of sending to the clients that connect there. */
export const FAN_OUT_PATHS = { publish: '/publish', send: '/send', heard: '/heard' } as const;
