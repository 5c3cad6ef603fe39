import type { Reply } from '../processes/reply.ts';
import type { Percentiles } from '../report/percentiles.ts';
import type { ViewerTarget } from './viewer.ts';

export type SeenBy = 'somebody' | 'everybody';

/** Messages between the bench and its crowd process: structured clones over the process channel. */
export type CrowdOrder =
  /** Viewers are distributed evenly over the targets. */
  | { readonly kind: 'open'; readonly targets: readonly ViewerTarget[]; readonly viewers: number }
  | { readonly kind: 'join'; readonly viewers: number }
  | { readonly kind: 'begin' }
  /** Answered when somebody or everybody has a packet of the current measurement. */
  | { readonly kind: 'seen'; readonly by: SeenBy }
  | { readonly kind: 'end' }
  | { readonly kind: 'close' };

export type CrowdReply = Reply<CrowdFigures | undefined>;

/** A picture that was sent to at least one viewer. */
export interface CrowdPacket {
  readonly capturedAtUs: number;
  readonly bytes: number;
  readonly key: boolean;
}

export interface CrowdFigures {
  readonly viewers: number;
  readonly seconds: number;
  /** Packets and bytes of all viewers together, and the number of pictures that packets reported as left out. */
  readonly packets: number;
  readonly bytes: number;
  readonly leftOut: number;
  /** Number of different pictures among them. */
  readonly pictures: number;
  /** The first of these pictures. */
  readonly first: readonly CrowdPacket[];
  readonly packetsByViewer: readonly number[];
  /**
   * Time from the capture to the arrival, by the wall clock, which server and viewers share; from the hand-over for bare senders and
   * with `HAND_OVER_WATCH`.
   */
  readonly delay: Percentiles;
  /** Share of a core that the crowd itself used. */
  readonly coreShare: number;
}
