import type { Reply } from '../processes/reply.ts';
import type { Percentiles } from '../report/percentiles.ts';
import type { ViewerTarget } from './viewer.ts';

export type SeenBy = 'somebody' | 'everybody';

/** What the bench and its crowd process tell each other; structured clones over the process channel. */
export type CrowdOrder =
  /** Viewers are spread evenly over the targets. */
  | { readonly kind: 'open'; readonly targets: readonly ViewerTarget[]; readonly viewers: number }
  | { readonly kind: 'join'; readonly viewers: number }
  | { readonly kind: 'begin' }
  /** Answered when so many have a packet of the measurement that runs. */
  | { readonly kind: 'seen'; readonly by: SeenBy }
  | { readonly kind: 'end' }
  | { readonly kind: 'close' };

export type CrowdReply = Reply<CrowdFigures | undefined>;

/** A picture that at least one viewer was sent. */
export interface CrowdPacket {
  readonly capturedAtUs: number;
  readonly bytes: number;
  readonly key: boolean;
}

export interface CrowdFigures {
  readonly viewers: number;
  readonly seconds: number;
  /** Packets and bytes of all viewers together, and the pictures that packets said were left out. */
  readonly packets: number;
  readonly bytes: number;
  readonly leftOut: number;
  /** Different pictures among them. */
  readonly pictures: number;
  /** The first of these. */
  readonly first: readonly CrowdPacket[];
  readonly packetsByViewer: readonly number[];
  /** From the capture to the arrival, by the wall clock that both share. */
  readonly delay: Percentiles;
  /** Share of a core that the crowd itself used. */
  readonly coreShare: number;
}
