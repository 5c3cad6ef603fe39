import { controlAnswer } from './control-process.ts';

/** The stream of a bare sender: packets of the same sizes and at the same rate as in the service's own stream. */
export interface FanOutPattern {
  /** Bytes of each packet in order, including its header; repeated from the start after the last. */
  readonly sizes: readonly number[];
  readonly perSecond: number;
}

/** The pattern of a bare sender, which is given as the answer of other controls is. */
export const fanOutPattern = (): FanOutPattern => JSON.parse(Buffer.from(controlAnswer()).toString());

/** Paths of the bare fan-out, one for each way of sending to the clients that connect there. */
export const FAN_OUT_PATHS = { publish: '/publish', send: '/send', heard: '/heard' } as const;
