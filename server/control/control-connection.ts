import {
  CLOSE,
  type ClientMessage,
  type CloseReason,
  type Event,
  faultSentence,
  isAnswered,
  LIMITS,
  type Role,
  refusalCode,
  requestIdOf,
  roleFor,
  type ServerMessage,
  ServiceError,
} from '@runcloud/protocol';
import type { Clock } from '../flow/clock.ts';
import type { FairScheduler } from '../flow/fair-scheduler.ts';
import { timestampNow } from '../flow/timestamp.ts';
import { TokenBucket } from '../flow/token-bucket.ts';
import { scheduleAtWallTime } from '../flow/wall-time.ts';
import { refuse } from '../interaction/acknowledge.ts';
import type { Caller } from '../interaction/request.ts';
import { toServiceError } from '../rest/reply.ts';
import type { LiveSession, SessionSocket } from '../session/live-session.ts';
import { openUrl } from '../session/open-url.ts';
import type { SocketHandler, SocketSender } from '../socket/connection.ts';
import { type ClientMessageRead, ClientMessageReader } from '../wire/client-message-reader.ts';
import { peekMessage } from '../wire/message-peek.ts';
import { readScreenAck } from '../wire/screen-ack-reader.ts';
import { answerRecording, type RecordingHandlers } from './answer-recording.ts';
import { answerScreenshot } from './answer-screenshot.ts';
import { Inbox } from './inbox.ts';
import { messageBytesMax } from './message-bytes-max.ts';
import { MessageWriter, type MessageWriterOptions } from './message-writer.ts';
import { RefusalCount } from './refusal-count.ts';
import { ScreenStreams } from './screen-streams.ts';
import { SocketRequestObserver } from './socket-request-observer.ts';
import type { Credential } from './upgrade.ts';

export interface ControlOptions {
  readonly session: LiveSession;
  readonly credential: Credential;
  readonly recorded: RecordingHandlers;
  readonly clock: Clock;
  /** Schedules long messages fairly between accounts. */
  readonly scheduler: FairScheduler;
  /** See `MessageWriterOptions`. */
  readonly check?: MessageWriterOptions['check'];
  readonly onClosed: (connection: ControlConnection) => void;
  readonly onFault: (error: unknown) => void;
}

const TOO_MANY = 'This socket sends too many messages.';
const TOO_MUCH_WAITS = 'Too many messages of this account are waiting.';

/** Shared by all sockets: a message is decoded completely before the next one. */
const reader = new ClientMessageReader(Buffer.allocUnsafeSlow(LIMITS.clientMessageBytes));

/** The engine of a control socket: messages in, calls to the session's services, messages out. Independent of the library. */
export class ControlConnection implements SocketHandler, SessionSocket, Caller {
  readonly role: Role;
  readonly credential: Credential;
  readonly #options: ControlOptions;
  readonly #outlet: SocketSender;
  readonly #refusals: RefusalCount;
  readonly #freeFrames: TokenBucket;
  readonly #screens: ScreenStreams;
  readonly #writer: MessageWriter;
  readonly #inbox: Inbox;
  /** Observers of all stages of a request, and of its end only. */
  readonly #ofAll: SocketRequestObserver;
  readonly #ofFinal: SocketRequestObserver;
  /** Live gestures started on this socket: their fingers are lifted when it closes. */
  readonly #gestures = new Set<string>();
  #open = true;
  #takeBackExpiry: () => void = () => undefined;

  constructor(options: ControlOptions, outlet: SocketSender) {
    this.#options = options;
    this.#outlet = outlet;
    this.credential = options.credential;
    this.role = options.credential.role;
    this.#refusals = new RefusalCount(options.clock);
    this.#freeFrames = new TokenBucket(LIMITS.freeFramesPerSecond, options.clock);
    const onFailed = (error: unknown) => {
      options.onFault(error);
      this.end(CLOSE.fault);
    };
    // Acknowledgements are never dropped: a client that does not read loses its connection instead.
    const onStuck = (outcome: 'buffered' | 'dropped') => {
      if (outcome === 'dropped' || this.#unsentBytes > LIMITS.unsentBytes) this.end(CLOSE.notReading);
    };
    this.#writer = new MessageWriter(outlet, { onStuck, onFailed, check: options.check });
    const onSettled = (requestId: string) => void this.#gestures.delete(requestId);
    this.#ofAll = new SocketRequestObserver(this, this.#writer, true, onSettled);
    this.#ofFinal = new SocketRequestObserver(this, this.#writer, false, onSettled);
    this.#screens = new ScreenStreams({
      screens: options.session.screens,
      guest: this.#isGuest,
      outlet: this.#writer,
      send: (message) => this.send(message),
      onFailed,
    });
    const { accountId, expiresAtMs, messageAllowance } = options.credential;
    this.#inbox = new Inbox({
      scheduler: options.scheduler,
      // Viewers have a queue of their own, so that they do not delay sockets with the role `control`.
      party: this.#isGuest ? `guests of ${accountId}` : accountId,
      rateLimiter: messageAllowance,
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
    if (expiresAtMs !== undefined) {
      this.#takeBackExpiry = scheduleAtWallTime(expiresAtMs, options.clock, () => this.end(CLOSE.revoked));
    }
  }

  /** Has the role `view`; some capacity is reserved for the role `control`. */
  get #isGuest(): boolean {
    return this.role === 'view';
  }

  get gone(): boolean {
    return !this.#open;
  }

  /** Bytes buffered in this process until the client reads. */
  get bufferedBytes(): number {
    return this.#outlet.bufferedBytes;
  }

  receiveText(): void {
    this.end(CLOSE.text);
  }

  receive(bytes: Uint8Array): void {
    if (!this.#open) return;
    if (bytes.byteLength > messageBytesMax(this.role)) return this.end(CLOSE.tooLarge);
    this.#inbox.receive(bytes);
  }

  receivePing(): void {
    if (this.#open && !this.#freeFrames.take()) this.end(CLOSE.policy);
  }

  /** @param map the fields of the message that were read */
  #refuseExcess(map: Readonly<Record<string, unknown>>, byteLength: number, sentence: string): void {
    this.#answerRefusal(new ServiceError('rate_limited', sentence), requestIdOf(map), map);
    if (this.credential.holder.floods(byteLength)) this.end(CLOSE.policy);
  }

  /** @param paid the rate limit is already charged */
  #take(read: ClientMessageRead, paid: boolean): void {
    if (read.kind === 'undecodable') return this.end(CLOSE.undecodable);
    try {
      const { messageAllowance } = this.credential;
      if (!paid && messageAllowance && !messageAllowance.take()) return this.#refuseExcess(read.map, 0, TOO_MANY);
      if (read.kind === 'unknown') {
        throw new ServiceError('unknown_message', `This service does not know the message "${shown(read.type)}".`);
      }
      if (read.kind === 'invalid') {
        throw new ServiceError(refusalCode(read.type), faultSentence(read.fault));
      }
      if (this.#isGuest && roleFor(read.message.type) === 'control') {
        throw new ServiceError('control_role_required');
      }
      this.#act(read.message);
    } catch (error) {
      this.#refuse(toServiceError(error), requestIdOf(read.map), read.map);
      if (!(error instanceof ServiceError)) this.#options.onFault(error);
    }
  }

  drained(): void {
    this.#screens.drained();
  }

  tell(event: Event): void {
    this.send(event);
  }

  end(reason: CloseReason): void {
    if (!this.#open) return;
    this.#inbox.close();
    this.#writer.flush();
    this.#outlet.close(reason);
    this.closed();
  }

  /** Called when the socket is closed by either side. Its requests go on; its fingers are lifted. */
  closed(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#takeBackExpiry();
    const { session, onClosed } = this.#options;
    session.disconnect(this);
    this.#screens.close();
    for (const requestId of this.#gestures) session.interactions.cancel(requestId);
    onClosed(this);
  }

  send(message: ServerMessage): void {
    if (!this.#open) return;
    this.#writer.message(message);
  }

  /** Buffered bytes without those of pictures, which are bounded separately by dropping pictures. */
  get #unsentBytes(): number {
    return this.#outlet.bufferedBytes - this.#screens.unacknowledgedBytes;
  }

  #act(message: ClientMessage): void {
    const { session, recorded, clock, onFault } = this.#options;
    switch (message.type) {
      case 'interaction':
        return session.interactions.submit(message.request, message.acks === 'all' ? this.#ofAll : this.#ofFinal);
      case 'cancel':
        session.interactions.cancel(message.requestId);
        return;
      case 'pointer': {
        const begun = session.interactions.pointer(message, message.acks === 'final' ? this.#ofFinal : this.#ofAll);
        if (begun && this.#open) this.#gestures.add(message.requestId);
        else if (begun) session.interactions.cancel(message.requestId);
        return;
      }
      case 'screenshot':
        return void answerScreenshot(session, { ...message, guest: this.#isGuest }, clock, onFault).then((answer) =>
          this.send(answer),
        );
      case 'recording.start':
      case 'recording.stop':
      case 'recording.get':
      case 'recording.list':
        return void answerRecording(session, message, recorded, clock, onFault).then((answer) => this.send(answer));
      case 'open-url':
        return openUrl(session, message, this.#ofFinal);
      case 'screen.start':
      case 'screen.ack':
      case 'screen.keyframe':
      case 'screen.stop':
        return this.#screens.receive(message);
      case 'ping':
        return this.send({ type: 'pong', id: message.id, serverTimeUs: Math.round(clock.wallMs() * 1_000) });
    }
  }

  #refuse(error: ServiceError, requestId: string | undefined, map: Readonly<Record<string, unknown>>): void {
    this.#answerRefusal(error, requestId, map);
    if (this.#refusals.tooMany()) this.end(CLOSE.policy);
  }

  /** Refuses a message: by a `result` if it has a request id and is answered, else by an `error`. */
  #answerRefusal(error: ServiceError, requestId: string | undefined, map: Readonly<Record<string, unknown>>): void {
    const { session, clock } = this.#options;
    if (requestId !== undefined && isAnswered(map)) {
      const { type } = map;
      const { id: sessionId, platform } = session.facts;
      const { deviceId: device, leaseId } = session.lease;
      const action = nameOf(type === 'interaction' ? map.action : type);
      const lease = type === 'open-url' ? { device, leaseId } : {};
      const named = { requestId, sessionId, platform, ...(action === undefined ? {} : { action }), ...lease };
      this.send({ type: 'result', ...refuse(named, error.toBody(), timestampNow(clock), clock) });
    } else {
      const { code, message } = error;
      this.send({ type: 'error', code, message, ...(requestId === undefined ? {} : { requestId }) });
    }
  }
}

const nameOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[A-Za-z.-]{1,64}$/.test(value) ? value : undefined;

const shown = (text: string): string => text.slice(0, 64).replace(/[^\x20-\x7e]/g, '?');
