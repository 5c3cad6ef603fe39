import type { Acknowledgement } from '@runcloud/protocol';
import type { Clock } from '../flow/clock.ts';
import type { FairScheduler } from '../flow/fair-scheduler.ts';
import type { Participant } from '../interaction/participant.ts';
import type { LiveSession } from '../session/live-session.ts';
import type { AnswerServices } from './answer.ts';
import type { ControlConnection } from './control-connection.ts';
import type { RingMemory } from './message-ring.ts';
import type { MessageCheck } from './message-writer.ts';
import type { Credential } from './upgrade.ts';

/** What the connections of a process share, and who is told of them. */
export interface ConnectionKeeper {
  readonly services: AnswerServices;
  readonly clock: Clock;
  /** Schedules long messages fairly between accounts. */
  readonly scheduler: FairScheduler;
  /** See `MessageWriter`. */
  readonly check?: MessageCheck | undefined;
  /** The socket is gone, and the client may come back. */
  readonly onLeft: (connection: ControlConnection) => void;
  readonly onClosed: (connection: ControlConnection) => void;
  /** A request that was sent over it has ended. */
  readonly onSettled?: ((connection: ControlConnection, acknowledgement: Acknowledgement) => void) | undefined;
  readonly onFault: (connection: ControlConnection, error: unknown) => void;
}

/** What a connection is made for. */
export interface ControlOptions {
  readonly session: LiveSession;
  readonly credential: Credential;
  /** Who the socket is among those who may have control; absent for one that only views. */
  readonly participant?: Participant | undefined;
  /** Of the messages that are kept for a client that comes back. */
  readonly memory: RingMemory;
}
