import type { Acknowledgement } from '@runcloud/protocol';
import { CLOSE, LIMITS, ServiceError } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import type { FairScheduler } from '../flow/fair-scheduler.ts';
import { hashOfId } from '../flow/id-hash.ts';
import { LateRefusals } from '../flow/late-refusals.ts';
import { ShortLivedMap } from '../flow/short-lived-map.ts';
import type { Participant } from '../interaction/participant.ts';
import type { OnFault } from '../observe/log-ids.ts';
import type { LiveSession } from '../session/live-session.ts';
import type { Participants } from '../session/participants.ts';
import type { SessionRegistry } from '../session/session-registry.ts';
import type { SocketApplication, SocketHandler, SocketSender, WantedSocket } from '../socket/connection.ts';
import type { HttpHead, HttpReply } from '../socket/http.ts';
import type { AnswerServices } from './answer.ts';
import type { ConnectionKeeper } from './connection-keeper.ts';
import { ControlConnection } from './control-connection.ts';
import type { ControlSocket } from './control-socket.ts';
import type { MessageCheck } from './message-writer.ts';
import { type ConnectionFacts, readyMessage } from './ready.ts';
import { ResumableConnections } from './resumable-connections.ts';
import type { Credential, UpgradeGate } from './upgrade.ts';
import { ViewerCounts } from './viewer-counts.ts';

export interface ControlSocketsOptions {
  readonly gate: UpgradeGate;
  readonly registry: SessionRegistry;
  readonly participants: Participants;
  readonly services: AnswerServices;
  readonly clock: Clock;
  readonly scheduler: FairScheduler;
  readonly check: MessageCheck | undefined;
  readonly onCount: (change: 1 | -1) => void;
  /** A client asked to go on with a connection that it had lost. */
  readonly onResume: (resumed: boolean) => void;
  /** A request has ended that came over a socket. @param channelId of the socket; see `SocketSender` */
  readonly onSettled?: ((acknowledgement: Acknowledgement, channelId: string | undefined) => void) | undefined;
  readonly onFault: OnFault;
}

const TOO_MANY_REQUESTS = 429;
/** Opening a socket costs as much of an account's share of a turn of the event loop as so many short messages. */
const SHORT_TASKS_OF_OPENING = 32;
/** The handler of a socket that is closed before anything has come. */
const NOTHING: SocketHandler = {
  receive: () => undefined,
  receiveText: () => undefined,
  receivePing: () => undefined,
  drained: () => undefined,
  closed: () => undefined,
};
const BUFFERED_KEPT_MS = 1_000;

/** Every control connection of this process. */
export class ControlSockets implements SocketApplication {
  readonly #options: ControlSocketsOptions;
  readonly #keeper: ConnectionKeeper;
  readonly #connections: ResumableConnections;
  /** Those with a socket. */
  readonly #open = new ShortLivedMap<string, ControlConnection>(hashOfId);
  /** Of the newest socket of each connection, where it came by a channel. */
  readonly #channelIds = new WeakMap<ControlConnection, string>();
  readonly #viewers: ViewerCounts;
  readonly #lateRefusals: LateRefusals<HttpReply>;
  #buffered = { total: 0, largest: 0, atMs: Number.NEGATIVE_INFINITY };

  constructor(options: ControlSocketsOptions) {
    this.#options = options;
    this.#keeper = this.#keeperOf(options);
    this.#connections = new ResumableConnections(options.clock);
    this.#viewers = new ViewerCounts(options.clock);
    this.#lateRefusals = new LateRefusals({ waitMs: LIMITS.refusedOpeningMs, clock: options.clock });
  }

  #keeperOf({
    services,
    clock,
    scheduler,
    check,
    onSettled,
    onFault,
    onCount,
  }: ControlSocketsOptions): ConnectionKeeper {
    const closed = (connection: ControlConnection) => {
      if (this.#open.take(connection.id)) onCount(-1);
      this.#viewers.changed(connection.session);
    };
    return {
      services,
      clock,
      scheduler,
      check,
      onLeft: (connection) => {
        closed(connection);
        this.#connections.left(connection);
      },
      onClosed: (connection) => {
        closed(connection);
        this.#connections.remove(connection);
      },
      onSettled:
        onSettled && ((connection, acknowledgement) => onSettled(acknowledgement, this.#channelIds.get(connection))),
      onFault: (connection, error) => {
        const channelId = this.#channelIds.get(connection);
        onFault(error, { sessionId: connection.session.facts.id, ...(channelId !== undefined && { channelId }) });
      },
    };
  }

  upgrade(head: HttpHead): HttpReply | WantedSocket | Promise<HttpReply> {
    const resume = new URLSearchParams(head.query).get('resume') ?? undefined;
    // A socket that takes the place of another needs no room.
    const replaces = (session: LiveSession, credential: Credential) => {
      const found = resume === undefined ? undefined : this.#connections.find(resume, session, credential);
      if (!found) return false;
      this.#charge(credential, found.connection.ring.bytesAfter(found.count));
      return found.connection.socket !== undefined;
    };
    const admission = this.#options.gate.admit(head, replaces);
    if (!admission.admitted) {
      const { reply } = admission;
      return reply.status === TOO_MANY_REQUESTS ? this.#lateRefusals.hold(reply) : reply;
    }
    const { session, credential } = admission;
    const brief = credential.role === 'view';
    const attach = (outlet: SocketSender) => this.#attach(outlet, session, credential, resume);
    const { party, bearer } = credential;
    const { gate, scheduler } = this.#options;
    // So many that open at once must not keep the thread from the messages of others.
    if (scheduler.mayRunNow(scheduler.budgetOf(party), SHORT_TASKS_OF_OPENING)) return { brief, open: attach };
    return {
      brief,
      turn: (begin) => {
        // Its place is taken as long as it waits.
        session.socketQuota.add(bearer);
        scheduler.addUnbounded(party, () => {
          session.socketQuota.giveBack(bearer);
          begin();
        });
      },
      open: (outlet) => {
        const reason = gate.reasonToClose(head, session, credential);
        if (!reason) return attach(outlet);
        outlet.close(reason);
        return NOTHING;
      },
    };
  }

  /** What is sent again costs what messages of this length cost; otherwise a client could have it sent without end. */
  #charge({ messageAllowance }: Credential, bytes: number): void {
    if (!messageAllowance || messageAllowance.takeBytes(bytes)) return;
    throw new ServiceError('rate_limited', 'This credential has too much sent again.', {
      retryAfterSeconds: messageAllowance.retryAfterSeconds,
    });
  }

  #attach(
    outlet: SocketSender,
    session: LiveSession,
    credential: Credential,
    resume: string | undefined,
  ): ControlSocket {
    // Everything that can throw comes first: a refused socket must not stay in any list.
    const { registry, participants, clock, onCount, onResume } = this.#options;
    const found = resume === undefined ? undefined : this.#connections.find(resume, session, credential);
    const participant =
      found && isSameActor(found.connection.credential, credential)
        ? found.connection.participant
        : participantOf(session.facts.id, credential, participants);
    const base = readyMessage(registry.describe(session), credential.role, {
      participant,
      can: session.device.capabilities,
      scope: session.lease.scope,
      wallMs: clock.wallMs(),
    });
    const resumed = found?.connection.holdsAfter(found.count) ?? false;
    const pending = found && !resumed ? found.connection.pendingAfter(found.count) : [];
    if (!resumed) found?.connection.end(CLOSE.moved);
    const outcome = resume === undefined ? {} : resumed ? { resumed } : { resumed, pending: [...pending] };
    const ready = (connection: ConnectionFacts) => ({ ...base, connection, ...outcome });
    const connection = found && resumed ? found.connection : this.#create(session, credential, participant);
    if (outlet.channelId !== undefined) this.#channelIds.set(connection, outlet.channelId);
    const socket = connection.attach(outlet, ready, {
      credential,
      participant,
      count: found && resumed ? found.count : 0,
    });
    if (resume !== undefined) onResume(resumed);
    if (connection.socket === socket) {
      this.#connections.returned(connection);
      this.#open.set(connection.id, connection);
      onCount(1);
    }
    this.#viewers.changed(session);
    return socket;
  }

  #create(session: LiveSession, credential: Credential, participant: Participant | undefined): ControlConnection {
    const memory = this.#connections.memoryOf(credential.party);
    const connection = new ControlConnection({ session, credential, participant, memory }, this.#keeper);
    this.#connections.add(connection);
    return connection;
  }

  /** Buffered bytes of all sockets; cached for a second, since it sums over all sockets. */
  get buffered(): { readonly total: number; readonly largest: number } {
    const atMs = this.#options.clock.monotonicMs();
    if (atMs - this.#buffered.atMs < BUFFERED_KEPT_MS) return this.#buffered;
    let total = 0;
    let largest = 0;
    for (const { bufferedBytes } of this.#open.values()) {
      total += bufferedBytes;
      largest = Math.max(largest, bufferedBytes);
    }
    this.#buffered = { total, largest, atMs };
    return this.#buffered;
  }

  /** Ends every connection whose socket was opened with this key. */
  revoke(keyId: string): void {
    this.#closeRevoked((credential) => credential.keyId === keyId);
  }

  /** Ends every connection whose socket was opened with this viewer link's token. */
  revokeLink(linkId: string): void {
    this.#closeRevoked((credential) => credential.linkId === linkId);
  }

  /** Ends every connection whose socket was opened with a viewer token. */
  revokeTokens(): void {
    this.#closeRevoked((credential) => credential.keyId === undefined);
  }

  /** Ends every connection of the account opened with a viewer or access token; those of keys end with their keys. */
  revokeAccount(accountId: string): void {
    const isKey = ({ keyId }: Credential) => keyId?.startsWith('key_');
    this.#closeRevoked((credential) => credential.accountId === accountId && !isKey(credential));
  }

  #closeRevoked(isRevoked: (credential: Credential) => boolean): void {
    for (const connection of this.#connections.all) {
      if (isRevoked(connection.credential)) connection.end(CLOSE.revoked);
    }
  }
}

/** Each control socket is a participant of its own, but for the sockets of keys and programs. */
function participantOf(
  sessionId: string,
  { role, keyId, linkId, principal }: Credential,
  participants: Participants,
): Participant | undefined {
  if (role === 'view') return undefined;
  if (keyId !== undefined && principal) return participants.of(principal, sessionId);
  return participants.ofSocket(linkId !== undefined, principal);
}

/** Whether both are the same key or program, or the same visitor of a link. */
const isSameActor = (one: Credential, other: Credential): boolean =>
  one.keyId === other.keyId && one.principal?.keyId === other.principal?.keyId;
