import type { Reply } from '../processes/reply.ts';
import type { Percentiles } from '../report/percentiles.ts';

/** What the bench and its load process tell each other; structured clones over the process channel. */

/** Encoded request bytes with room for the digits that make every request's id its own. */
export interface RequestTemplate {
  readonly bytes: Uint8Array;
  /** Offset of the first of `ID_DIGITS` ASCII digits. */
  readonly digitsAt: number;
}

/** Digits of a request id that the load process fills in: the connection's three, then the request's seven. */
export const LANE_DIGITS = 3;
export const SEQUENCE_DIGITS = 7;
export const ID_DIGITS = LANE_DIGITS + SEQUENCE_DIGITS;

export type LoadTarget =
  | {
      readonly kind: 'socket';
      readonly url: string;
      /** Connections take turns among `url` and these: several sessions of one server. */
      readonly moreUrls?: readonly string[];
      readonly headers: Readonly<Record<string, string>>;
      readonly subprotocol?: string;
      /** Whether the server speaks first; requests wait for that message. */
      readonly greets: boolean;
    }
  | { readonly kind: 'http'; readonly host: string; readonly port: number }
  | { readonly kind: 'socket.io'; readonly host: string; readonly port: number };

export type LoadMode =
  /** Each answer sends the next request: `inFlight` at once on each of `connections`. */
  | { readonly kind: 'closed'; readonly connections: number; readonly inFlight: number }
  /** Requests leave at fixed times, whatever became of those before; latency counts from the intended time. */
  | { readonly kind: 'open'; readonly perSecond: number };

export interface LoadJob {
  readonly target: LoadTarget;
  readonly template: RequestTemplate;
  readonly mode: LoadMode;
  /** Time whose answers are left out of the figures. */
  readonly warmUpMs: number;
  readonly measureMs: number;
}

export interface LoadFigures extends Percentiles {
  /** Answers within the measured time. */
  readonly answers: number;
  /** Answers of the whole job, warm-up and drain included. */
  readonly answersInAll: number;
  readonly perSecond: number;
  /** Processor time of the load process in the whole job, as a share of one core. */
  readonly loadCoreShare: number;
}

/** Live gestures over one control socket, step after step at fixed times. */
export interface DragJob extends Pick<LoadJob, 'warmUpMs' | 'measureMs'> {
  readonly drag: {
    readonly stepsPerSecond: number;
    /** Steps from `begin` to `end`, both included; the next gesture begins with the step after. */
    readonly stepsPerGesture: number;
    /** Of the request ids; no two jobs of a server may have the same. */
    readonly idPrefix: string;
    /** Whether each gesture is answered by its result; a bare echo answers steps alone. */
    readonly endsWithResult: boolean;
  };
  readonly target: Extract<LoadTarget, { kind: 'socket' }>;
}

/** Latency runs from the time a step was meant to leave to its `dispatched`; answers are steps. */
export interface DragFigures extends LoadFigures {
  /** How much the latency of a step differs from that of the step before. */
  readonly jitterP50Us: number;
  readonly jitterP99Us: number;
  /** From the time an `end` was meant to leave to the `result`, which says that the device has taken every step. */
  readonly takenP50Us: number;
  readonly takenP99Us: number;
  /** Moves that a newer one replaced while they waited; each counts up to the step that took its place. */
  readonly replaced: number;
}

export type LoadReply = Reply<LoadFigures | DragFigures>;
