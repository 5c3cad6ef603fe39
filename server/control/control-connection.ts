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
import type { RateLimiter } from '../account/rate-limiters.ts';
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
import type { AnswerOptions } from './answer.ts';
import { answerControl } from './answer-control.ts';
import { Answers, type AnswersOwner } from './answers.ts';
import type { ConnectionKeeper, ControlOptions } from './connection-keeper.ts';
import { ControlSocket } from './control-socket.ts';
import { Inbox, type InboxOwner } from './inbox.ts';
import { messageBytesMax } from './message-bytes-max.ts';
import { MessageRing } from './message-ring.ts';
import { MessageWriter, type WriterOwner } from './message-writer.ts';
import { type PendingRequest, pendingRequests } from './pending-requests.ts';
import type { ConnectionFacts, Ready } from './ready.ts';
import { refusalOf, unknownMessage } from './refusal.ts';
import { RefusalCount } from './refusal-count.ts';
import type { ResumeClaim } from './resumable-connections.ts';
import { ScreenStreams, type StreamsOwner } from './screen-streams.ts';
import { type SocketCaller, SocketRequestObservers } from './socket-request-observer.ts';
import { type Credential, originOf } from './upgrade.ts';

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
 *
 * Most connections are idle, and there may be many: its parts ask it by its methods and have no closures, and what few connections use
 * is made when it is used.
 */
export class ControlConnection
  implements SessionSocket, SocketCaller, InboxOwner, WriterOwner, AnswersOwner, StreamsOwner
{
  readonly id = newId('con');
  readonly role: Role;
  readonly session: LiveSession;
  readonly #keeper: ConnectionKeeper;
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
  readonly #writer: MessageWriter;
  readonly #inbox: Inbox;
  readonly #observers: SocketRequestObservers;
  #refusals: RefusalCount | undefined;
  #freeFrames: TokenBucket | undefined;
  #screens: ScreenStreams | undefined;
  #answers: Answers | undefined;
  /** Live gestures started on this socket: their fingers are lifted when it closes. */
  #gestures: Set<string> | undefined;
  #open = true;
  #takeBackExpiry: (() => void) | undefined;

  constructor({ session, credential, participant, memory }: ControlOptions, keeper: ConnectionKeeper) {
    this.session = session;
    this.#keeper = keeper;
    this.#credential = credential;
    this.#origin = this.#numberOfOrigin();
    this.ring = new MessageRing(memory);
    this.role = credential.role;
    this.#participant = participant;
    this.#writer = new MessageWriter(this.ring, this, keeper.check);
    this.#observers = new SocketRequestObservers(this, this.#writer);
    this.#inbox = new Inbox(this, keeper.scheduler, credential.party);
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
    if (!isSame || session !== this.session) return false;
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
    const queued = this.session.interactions.pendingOf(this);
    return pendingRequests(queued, this.#answers?.open ?? [], this.ring.after(count));
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
    this.session.connect(this);
    const { id } = this;
    const facts = { id, epoch: this.#epoch, resumeWindowMs: LIMITS.resumeWindowMs, received: this.#received };
    this.#writer.connect(outlet, ready(facts), this.ring.after(count));
    // A client that does not read may have lost the socket by now.
    if (this.#socket === socket) this.#screens?.resume();
    return socket;
  }

  #numberOfOrigin(): number {
    return this.session.interactions.origin(originOf(this.#credential));
  }

  #expire(): void {
    this.#takeBackExpiry?.();
    this.#takeBackExpiry = undefined;
    const { expiresAtMs } = this.#credential;
    if (expiresAtMs === undefined) return;
    this.#takeBackExpiry = scheduleAtWallTime(expiresAtMs, this.#keeper.clock, () => this.end(CLOSE.revoked));
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
    if (!this.#open || this.#takeFreeFrame()) return;
    this.credential.holder.floods(LIMITS.refusalsPerPingFlood);
    this.end(CLOSE.policy);
  }

  get rateLimiter(): RateLimiter | undefined {
    return this.#credential.messageAllowance;
  }

  takeQuick(bytes: Uint8Array): boolean {
    const ack = readScreenAck(bytes);
    // Many viewers send many acknowledgements, so the account is not charged for them.
    if (!ack || !this.#takeFreeFrame()) return false;
    this.#take(ack, true);
    return true;
  }

  take(bytes: Uint8Array, paid: boolean): void {
    this.#take(reader.read(bytes), paid);
  }

  refuse(bytes: Uint8Array, reason: 'too many' | 'too much waits'): void {
    this.#refuseExcess(peekMessage(bytes), bytes.byteLength, reason === 'too many' ? TOO_MANY : TOO_MUCH_WAITS);
  }

  #takeFreeFrame(): boolean {
    this.#freeFrames ??= new TokenBucket(LIMITS.freeFramesPerSecond, this.#keeper.clock);
    return this.#freeFrames.take();
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
      if (!(error instanceof ServiceError)) this.#keeper.onFault(this, error);
    }
  }

  /** Acknowledgements are never dropped: a client that does not read loses its socket instead. */
  stuck(outcome: 'buffered' | 'dropped'): void {
    const unsentBytes = this.#answers?.otherUnsentBytes ?? this.unsentBytes;
    if (outcome === 'dropped' || unsentBytes > LIMITS.unsentBytes) this.#leave(CLOSE.notReading);
  }

  failed(error: unknown): void {
    this.#keeper.onFault(this, error);
    this.end(CLOSE.fault);
  }

  /** What the socket has not sent, pictures of streams left out. */
  get unsentBytes(): number {
    return this.bufferedBytes - (this.#screens?.unacknowledgedBytes ?? 0);
  }

  drained(): void {
    this.#answers?.drained();
    this.#screens?.drained();
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
      this.#answers?.sendAll();
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
    const outlet = this.#outlet;
    this.#socket = undefined;
    this.#outlet = undefined;
    this.#writer.disconnect();
    this.#answers?.drained();
    this.session.disconnect(this, true);
    this.#screens?.pause();
    this.liftTouches();
    if (reason) outlet?.close(reason);
    this.#keeper.onLeft(this);
  }

  #close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#socket = undefined;
    this.#outlet = undefined;
    this.#takeBackExpiry?.();
    this.session.disconnect(this);
    this.#screens?.close();
    this.liftTouches();
    this.session.interactions.leave(this);
    this.#writer.disconnect();
    this.ring.close();
    this.#keeper.onClosed(this);
  }

  liftTouches(): void {
    for (const requestId of this.#gestures ?? []) this.session.interactions.cancel(requestId);
  }

  send(message: ServerMessage): void {
    if (!this.#open) return;
    this.#writer.message(message);
  }

  settled(acknowledgement: Acknowledgement): void {
    this.#gestures?.delete(acknowledgement.requestId);
    this.#keeper.onSettled?.(this, acknowledgement);
  }

  #act(message: ClientMessage): void {
    const session = this.session;
    const { clock } = this.#keeper;
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
        this.#answers ??= new Answers(this.#answerOptions(), this, this.#writer);
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
        this.#screens ??= new ScreenStreams(session.screens, this, this.#writer);
        return this.#screens.receive(message);
      case 'ping':
        return this.send({ type: 'pong', id: message.id, serverTimeUs: Math.round(clock.wallMs() * 1_000) });
    }
  }

  #answerOptions(): AnswerOptions {
    const { services, clock, onFault } = this.#keeper;
    return { session: this.session, services, clock, onFault: (error) => onFault(this, error) };
  }

  answered(errorCode: string | undefined): void {
    if (this.#exceeds(errorCode)) this.end(CLOSE.policy);
  }

  #refuse(error: ServiceError, map: Readonly<Record<string, unknown>>): void {
    this.#answerRefusal(error, map);
    this.#refusals ??= new RefusalCount(this.#keeper.clock);
    if (this.#refusals.tooMany() || this.#exceeds(error.code)) this.end(CLOSE.policy);
  }

  /** Counts a refusal for want of quota as a message too many: a link that goes on regardless loses its sockets. */
  #exceeds(code: string | undefined): boolean {
    return code === 'rate_limited' && this.bearer.kind !== 'key' && this.credential.holder.floods();
  }

  #answerRefusal(error: ServiceError, map: Readonly<Record<string, unknown>>): void {
    this.send(refusalOf(map, error, this.session, this.#keeper.clock));
  }
}
