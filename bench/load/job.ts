import type { Reply } from '../processes/reply.ts';
import type { Percentiles } from '../report/percentiles.ts';

/** Messages between the bench and its load process: structured clones over the process channel. */

/** An encoded request with placeholder digits, which make the id of every request unique. */
export interface RequestTemplate {
  readonly bytes: Uint8Array;
  /** Offset of the first of `ID_DIGITS` ASCII digits. */
  readonly digitsAt: number;
  /** Another message of the same request, sent directly behind the first; over a socket. */
  readonly second?: Pick<RequestTemplate, 'bytes' | 'digitsAt'>;
}

/** Digits of a request id that the load process fills in: the connection's three, then the request's seven. */
export const LANE_DIGITS = 3;
export const SEQUENCE_DIGITS = 7;
export const ID_DIGITS = LANE_DIGITS + SEQUENCE_DIGITS;

export type LoadTarget =
  | {
      readonly kind: 'socket';
      readonly url: string;
      /** Connections are distributed over `url` and these, which are several sessions of one server. */
      readonly moreUrls?: readonly string[];
      readonly headers: Readonly<Record<string, string>>;
      readonly subprotocol?: string;
      /** Whether the server sends the first message; requests wait for it. */
      readonly greets: boolean;
    }
  | { readonly kind: 'http'; readonly host: string; readonly port: number }
  | { readonly kind: 'socket.io'; readonly host: string; readonly port: number };

export type LoadMode =
  /** Each answer triggers the next request: `inFlight` at once on each of `connections`. */
  | { readonly kind: 'closed'; readonly connections: number; readonly inFlight: number }
  /** Requests leave at fixed times, even if earlier ones are unanswered; latency is measured from the intended time. */
  | { readonly kind: 'open'; readonly perSecond: number };

export interface LoadJob {
  readonly target: LoadTarget;
  /** Paced requests alternate between `target` and these, with a connection to each. */
  readonly moreTargets?: readonly LoadTarget[];
  readonly template: RequestTemplate;
  readonly mode: LoadMode;
  /** Time whose answers are excluded from the figures. */
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
    /** Prefix of the request ids, unique among the jobs of a server. */
    readonly idPrefix: string;
    /** Whether each gesture ends with a `result`; a bare echo answers only the steps. */
    readonly endsWithResult: boolean;
  };
  readonly target: Extract<LoadTarget, { kind: 'socket' }>;
}

/** Latency is measured from the intended time of a step to its `dispatched`; each step counts as an answer. */
export interface DragFigures extends LoadFigures {
  /** Difference between the latency of a step and that of the step before. */
  readonly jitterP50Us: number;
  readonly jitterP99Us: number;
  /** From the intended time of an `end` to the `result`, which says that the device has taken every step. */
  readonly takenP50Us: number;
  readonly takenP99Us: number;
  /** Moves that were replaced by a newer one while they waited; their latency ends with the step that replaced them. */
  readonly replaced: number;
}

export type LoadReply = Reply<LoadFigures | DragFigures>;
