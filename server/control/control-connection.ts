import {
  type Acknowledgement,
  CLOSE,
  type ClientMessage,
  type CloseReason,
  type Event,
  faultSentence,
  isResumable,
  LIMITS,
  newId,
  type Role,
  refusalCode,
  roleFor,
  type ServerMessage,
  ServiceError,
} from '@runcloud/protocol';
import type { Clock } from '../flow/clock.ts';
import type { FairScheduler } from '../flow/fair-scheduler.ts';
import type { Bearer } from '../flow/quota.ts';
import { TokenBucket } from '../flow/token-bucket.ts';
import { scheduleAtWallTime } from '../flow/wall-time.ts';
import type { Participant } from '../interaction/participant.ts';
import { toServiceError } from '../rest/reply.ts';
import { accessClipboard } from '../session/clipboard.ts';
import type { LiveSession, SessionSocket } from '../session/live-session.ts';
import { openUrl } from '../session/open-url.ts';
import { lookAtUi } from '../session/ui.ts';
import type { SocketSender } from '../socket/connection.ts';
import { type ClientMessageRead, ClientMessageReader } from '../wire/client-message-reader.ts';
import { peekMessage } from '../wire/message-peek.ts';
import { readScreenAck } from '../wire/screen-ack-reader.ts';
import type { AnswerServices } from './answer.ts';
import { answerControl } from './answer-control.ts';
import { Answers } from './answers.ts';
import { ControlSocket } from './control-socket.ts';
import { Inbox } from './inbox.ts';
import { messageBytesMax } from './message-bytes-max.ts';
import { MessageRing, type RingMemory } from './message-ring.ts';
import { MessageWriter, type MessageWriterOptions } from './message-writer.ts';
import { type PendingRequest, pendingRequests } from './pending-requests.ts';
import type { ConnectionFacts, Ready } from './ready.ts';
import { refusalOf, unknownMessage } from './refusal.ts';
import { RefusalCount } from './refusal-count.ts';
import type { ResumeClaim } from './resumable-connections.ts';
import { ScreenStreams } from './screen-streams.ts';
import { type SocketCaller, SocketRequestObservers } from './socket-request-observer.ts';
import { type Credential, originOf } from './upgrade.ts';

export interface ControlOptions {
  readonly session: LiveSession;
  readonly credential: Credential;
  /** Who the socket is among those who may have control; absent for one that only views. */
  readonly participant?: Participant | undefined;
  /** Of the messages that are kept for a client that comes back. */
  readonly memory: RingMemory;
  readonly services: AnswerServices;
  readonly clock: Clock;
  /** Schedules long messages fairly between accounts. */
  readonly scheduler: FairScheduler;
  /** See `MessageWriterOptions`. */
  readonly check?: MessageWriterOptions['check'];
  /** The socket is gone, and the client may come back. */
  readonly onLeft: (connection: ControlConnection) => void;
  readonly onClosed: (connection: ControlConnection) => void;
  /** A request that was sent over it has ended. */
  readonly onSettled?: ((acknowledgement: Acknowledgement) => void) | undefined;
  readonly onFault: (error: unknown) => void;
}

const TOO_MANY = 'This socket sends too many messages.';
const TOO_MUCH_WAITS = 'Too many messages of this account are waiting.';

/** Shared by all sockets: a message is decoded completely before the next one. */
const reader = new ClientMessageReader(Buffer.allocUnsafeSlow(LIMITS.clientMessageBytes));

/** Who opens a socket of a connection. */
export interface Client extends Pick<ResumeClaim, 'credential' | 'count'> {
  readonly participant: Participant | undefined;
}

/**
 * The engine of a control connection: messages in, calls to the session's services, messages out. Independent of the library,
 * and of its socket: when that is lost, the connection goes on without one, until the client resumes it over another.
 */
export class ControlConnection implements SessionSocket, SocketCaller {
  readonly id = newId('con');
  readonly role: Role;
  readonly #options: ControlOptions;
  #credential: Credential;
  #participant: Participant | undefined;
  #origin: number;
  #socket: ControlSocket | undefined;
  #outlet: SocketSender | undefined;
  /** Counts its sockets. */
  #epoch = 0;
  /** The client has seen this one: an earlier one resumes nothing. */
  #seenEpoch = 1;
  #received = 0;
  /** What the client was sent. */
  readonly ring: MessageRing;
  readonly #refusals: RefusalCount;
  readonly #freeFrames: TokenBucket;
  readonly #screens: ScreenStreams;
  readonly #writer: MessageWriter;
  readonly #answers: Answers;
  readonly #inbox: Inbox;
  readonly #observers: SocketRequestObservers;
  /** Live gestures started on this socket: their fingers are lifted when it closes. */
  #gestures: Set<string> | undefined;
  #open = true;
  #takeBackExpiry: () => void = () => undefined;

  constructor(options: ControlOptions) {
    this.#options = options;
    this.#credential = options.credential;
    this.#origin = this.#numberOfOrigin();
    this.ring = new MessageRing(options.memory);
    this.role = options.credential.role;
    this.#participant = options.participant;
    this.#refusals = new RefusalCount(options.clock);
    this.#freeFrames = new TokenBucket(LIMITS.freeFramesPerSecond, options.clock);
    const onFailed = (error: unknown) => {
      options.onFault(error);
      this.end(CLOSE.fault);
    };
    // Acknowledgements are never dropped: a client that does not read loses its socket instead.
    const onStuck = (outcome: 'buffered' | 'dropped') => {
      const isTooMuch = this.#answers.otherUnsentBytes > LIMITS.unsentBytes;
      if (outcome === 'dropped' || isTooMuch) this.#leave(CLOSE.notReading);
    };
    this.#answers = new Answers(options, {
      unsentBytes: () => this.bufferedBytes - this.#screens.unacknowledgedBytes,
      send: (result) => this.send(result),
      flush: () => this.#writer.flush(),
      onAnswered: (code) => {
        if (this.#exceeds(code)) this.end(CLOSE.policy);
      },
    });
    this.#writer = new MessageWriter({ ring: this.ring, onStuck, onFailed, check: options.check });
    this.#observers = new SocketRequestObservers(this, this.#writer);
    this.#screens = new ScreenStreams({
      screens: options.session.screens,
      bearer: () => this.bearer,
      outlet: this.#writer,
      send: (message) => this.send(message),
      onFailed,
    });
    this.#inbox = new Inbox({
      scheduler: options.scheduler,
      party: options.credential.party,
      rateLimiter: () => this.#credential.messageAllowance,
      takeQuick: (bytes) => {
        const ack = readScreenAck(bytes);
        // Many viewers send many acknowledgements, so the account is not charged for them.
        if (!ack || !this.#freeFrames.take()) return false;
        this.#take(ack, true);
        return true;
      },
      take: (bytes, paid) => this.#take(reader.read(bytes), paid),
      refuse: (bytes, reason) =>
        this.#refuseExcess(peekMessage(bytes), bytes.byteLength, reason === 'too many' ? TOO_MANY : TOO_MUCH_WAITS),
    });
    this.#expire();
  }

  /** Of the newest socket. */
  get credential(): Credential {
    return this.#credential;
  }

  get bearer(): Bearer {
    return this.#credential.bearer;
  }

  get participant(): Participant | undefined {
    return this.#participant;
  }

  get origin(): number {
    return this.#origin;
  }

  /** The one that it has now. */
  get socket(): ControlSocket | undefined {
    return this.#socket;
  }

  /** Whether a client may resume it that says this, if what it misses is still there. */
  mayBeResumed({ session, credential, epoch, count }: ResumeClaim): boolean {
    const { accountId, role, linkId } = this.#credential;
    const isSame = credential.accountId === accountId && credential.role === role && credential.linkId === linkId;
    if (!isSame || session !== this.#options.session) return false;
    return this.#open && epoch >= this.#seenEpoch && epoch <= this.#epoch && count <= this.ring.sent;
  }

  /** Whether everything is still there that a client misses that has the first `count` messages. */
  holdsAfter(count: number): boolean {
    this.#writer.flush();
    return this.ring.holdsAfter(count);
  }

  /** What a client that has the first `count` messages may still wait for. */
  pendingAfter(count: number): readonly PendingRequest[] {
    this.#writer.flush();
    const queued = this.#options.session.interactions.pendingOf(this);
    return pendingRequests(queued, this.#answers.open, this.ring.after(count));
  }

  /**
   * Takes a socket, in place of the one that it may still have: sends `ready`, and then what the client misses.
   *
   * @param client who opened the socket; by default, who the connection was made for
   */
  attach(
    outlet: SocketSender,
    ready: (connection: ConnectionFacts) => Ready,
    client: Client = { credential: this.#credential, participant: this.#participant, count: 0 },
  ): ControlSocket {
    const { credential, participant, count } = client;
    this.#leave(CLOSE.moved);
    if (credential !== this.#credential) {
      this.#credential = credential;
      this.#participant = participant;
      this.#origin = this.#numberOfOrigin();
      this.#expire();
    }
    this.#epoch++;
    const socket = new ControlSocket(this);
    this.#socket = socket;
    this.#outlet = outlet;
    this.ring.forget(count);
    this.#options.session.connect(this);
    const { id } = this;
    const facts = { id, epoch: this.#epoch, resumeWindowMs: LIMITS.resumeWindowMs, received: this.#received };
    this.#writer.connect(outlet, ready(facts), this.ring.after(count));
    // A client that does not read may have lost the socket by now.
    if (this.#socket === socket) this.#screens.resume();
    return socket;
  }

  #numberOfOrigin(): number {
    return this.#options.session.interactions.origin(originOf(this.#credential));
  }

  #expire(): void {
    this.#takeBackExpiry();
    const { expiresAtMs } = this.#credential;
    if (expiresAtMs === undefined) return;
    this.#takeBackExpiry = scheduleAtWallTime(expiresAtMs, this.#options.clock, () => this.end(CLOSE.revoked));
  }

  get gone(): boolean {
    return !this.#open;
  }

  /** Bytes buffered in this process until the client reads. */
  get bufferedBytes(): number {
    return this.#outlet?.bufferedBytes ?? 0;
  }

  receiveText(): void {
    this.end(CLOSE.text);
  }

  receive(bytes: Uint8Array): void {
    if (!this.#open) return;
    if (bytes.byteLength > messageBytesMax(this.role)) return this.end(CLOSE.tooLarge);
    this.#received++;
    // A client that resumes sends nothing before it has seen `ready`.
    this.#seenEpoch = this.#epoch;
    this.#inbox.receive(bytes);
  }

  receivePing(): void {
    if (!this.#open || this.#freeFrames.take()) return;
    this.credential.holder.floods(LIMITS.refusalsPerPingFlood);
    this.end(CLOSE.policy);
  }

  /** @param map the fields of the message that were read */
  #refuseExcess(map: Readonly<Record<string, unknown>>, byteLength: number, sentence: string): void {
    this.#answerRefusal(new ServiceError('rate_limited', sentence), map);
    if (this.credential.holder.floods(byteLength / LIMITS.lightBytes)) this.end(CLOSE.policy);
  }

  /** @param paid the rate limit is already charged */
  #take(read: ClientMessageRead, paid: boolean): void {
    if (read.kind === 'undecodable') return this.end(CLOSE.undecodable);
    try {
      if (!paid && this.credential.messageAllowance?.take() === false) return this.#refuseExcess(read.map, 0, TOO_MANY);
      if (read.kind === 'unknown') throw unknownMessage(read.type);
      if (read.kind === 'invalid') {
        throw new ServiceError(refusalCode(read.type), faultSentence(read.fault));
      }
      if (this.role === 'view' && roleFor(read.message.type) === 'control') {
        throw new ServiceError('control_role_required');
      }
      this.#act(read.message);
    } catch (error) {
      this.#refuse(toServiceError(error), read.map);
      if (!(error instanceof ServiceError)) this.#options.onFault(error);
    }
  }

  drained(): void {
    this.#answers.drained();
    this.#screens.drained();
  }

  tell(event: Event): void {
    // How many are watching is told anew when the client is back.
    if (this.#socket || event.event !== 'viewers') this.send(event);
  }

  /** Ends it for good, and its socket. */
  end(reason: CloseReason): void {
    if (!this.#open) return;
    const outlet = this.#outlet;
    this.#inbox.close();
    // One without a socket may be ended amid the writing of another one's message.
    if (outlet) {
      this.#answers.sendAll();
      this.#writer.flush();
    }
    this.#close();
    outlet?.close(reason);
  }

  /**
   * Called when the socket is closed by either side. Its requests go on, its fingers are lifted.
   *
   * @param code see `SocketHandler`
   */
  lost(code: number): void {
    if (isResumable(code)) this.#leave();
    else this.#close();
  }

  /** The socket goes, and the connection stays. */
  #leave(reason?: CloseReason): void {
    if (!this.#socket) return;
    const { session, onLeft } = this.#options;
    const outlet = this.#outlet;
    this.#socket = undefined;
    this.#outlet = undefined;
    this.#writer.disconnect();
    this.#answers.drained();
    session.disconnect(this, true);
    this.#screens.pause();
    this.liftTouches();
    if (reason) outlet?.close(reason);
    onLeft(this);
  }

  #close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#socket = undefined;
    this.#outlet = undefined;
    this.#takeBackExpiry();
    const { session, onClosed } = this.#options;
    session.disconnect(this);
    this.#screens.close();
    this.liftTouches();
    session.interactions.leave(this);
    this.#writer.disconnect();
    this.ring.close();
    onClosed(this);
  }

  liftTouches(): void {
    for (const requestId of this.#gestures ?? []) this.#options.session.interactions.cancel(requestId);
  }

  send(message: ServerMessage): void {
    if (!this.#open) return;
    this.#writer.message(message);
  }

  settled(acknowledgement: Acknowledgement): void {
    this.#gestures?.delete(acknowledgement.requestId);
    this.#options.onSettled?.(acknowledgement);
  }

  #act(message: ClientMessage): void {
    const { session, clock } = this.#options;
    switch (message.type) {
      case 'interaction':
        return session.interactions.submit(message.request, this.#observers.of(message.acks ?? 'final'));
      case 'cancel':
        session.interactions.cancel(message.requestId);
        return;
      case 'pointer': {
        const begun = session.interactions.pointer(message, this.#observers.of(message.acks ?? 'all'));
        if (begun && this.#socket) {
          this.#gestures ??= new Set();
          this.#gestures.add(message.requestId);
        } else if (begun) session.interactions.cancel(message.requestId);
        return;
      }
      case 'screenshot':
      case 'history.list':
      case 'recording.start':
      case 'recording.stop':
      case 'recording.get':
      case 'recording.list':
        return this.#answers.answer(message, this.bearer);
      case 'open-url':
        return openUrl(session, message, this.#observers.of('final'));
      case 'clipboard.get':
      case 'clipboard.set':
        return accessClipboard(session, message, this.#observers.of('final'));
      case 'ui':
      case 'ui.check':
      case 'ui.wait':
        return lookAtUi(session, message, this.#observers.of('final'));
      case 'control.request':
      case 'control.take':
      case 'control.release':
      case 'control.grant':
      case 'control.deny':
        return this.send(answerControl(session, this.participant, message, clock));
      case 'screen.start':
      case 'screen.ack':
      case 'screen.keyframe':
      case 'screen.stop':
        return this.#screens.receive(message);
      case 'ping':
        return this.send({ type: 'pong', id: message.id, serverTimeUs: Math.round(clock.wallMs() * 1_000) });
    }
  }

  #refuse(error: ServiceError, map: Readonly<Record<string, unknown>>): void {
    this.#answerRefusal(error, map);
    if (this.#refusals.tooMany() || this.#exceeds(error.code)) this.end(CLOSE.policy);
  }

  /** Counts a refusal for want of quota as a message too many: a link that goes on regardless loses its sockets. */
  #exceeds(code: string | undefined): boolean {
    return code === 'rate_limited' && this.bearer.kind !== 'key' && this.credential.holder.floods();
  }

  #answerRefusal(error: ServiceError, map: Readonly<Record<string, unknown>>): void {
    this.send(refusalOf(map, error, this.#options.session, this.#options.clock));
  }
}
