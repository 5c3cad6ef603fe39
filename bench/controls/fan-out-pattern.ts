/** What the bare fan-out sends: packets of the sizes that the service's own stream had, at its rate. */
export interface FanOutPattern {
  /** Bytes of one packet after the other, headers included; it starts over at the end. */
  readonly sizes: readonly number[];
  readonly perSecond: number;
}

/** Paths of the bare fan-out: how it sends to whoever connects there. */
export const FAN_OUT_PATHS = { publish: '/publish', send: '/send', heard: '/heard' } as const;
