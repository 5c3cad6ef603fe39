/// <reference lib="esnext.disposable" preserve="true" />
import { CLOSE } from '../../../protocol/close-codes.ts';
import type { ErrorCode } from '../../../protocol/errors.ts';
import { pointer as pointerMessage } from '../../../protocol/messages/interaction.ts';
import { screenStart } from '../../../protocol/messages/screen.ts';
import { Connection, type ConnectionState } from '../../core/connection.ts';
import { Emitter } from '../../core/emitter.ts';
import type { CallOptions } from '../actions.ts';
import { argumentError } from '../argument-fault.ts';
import { checkedRequestId, defined } from '../arguments.ts';
import { BOUNDS } from '../bounds.ts';
import { completed } from '../completed.ts';
import { Deadline } from '../deadline.ts';
import { RunCloudError, unanswered } from '../error.ts';
import type { Observed } from '../observed.ts';
import { general, INTERACT } from '../operations.ts';
import type { Acknowledgement, Platform, Point } from '../types.ts';
import { Buffered } from './buffered.ts';
import { closedByCaller, connectedTooLate, endingOf, givenUp, refusalOf } from './ending.ts';
import { type LivePointer, livePointer } from './live-pointer.ts';
import type { Ready, ScreenOptions, ScreenPacket, SessionEvent, Stage } from './messages.ts';
import { type Ask, PendingRequests } from './requests.ts';
import { type ScreenStarted, Screens } from './screens.ts';

/** How the current runtime opens a control socket. */
export interface SocketParts {
  readonly platform: Platform;
  /** Whether a connection that ended because its credential expired may be reopened with a new one. */
  readonly isRenewed: boolean;
  readonly address: () => URL;
  readonly open: (address: string, protocol: string) => WebSocket;
  /** The HTTP status of a plain request to the address, which tells why a handshake was refused. */
  readonly statusOf: (address: URL, signal: AbortSignal) => Promise<number | undefined>;
}

/** What is done about a lost connection. */
export interface ReconnectOptions {
  /** Milliseconds until a lost connection is given up; default 30,000, `Infinity` for never. */
  readonly reconnectMs?: number | undefined;
  /** Ends the wait for a lost connection, now or as soon as it is lost. */
  readonly reconnectSignal?: AbortSignal | undefined;
}

/** The connection is back. */
export interface Reconnected {
  /**
   * Whether it is the same connection: all events, stages and results came in order, and no call was repeated. Otherwise the
   * service has forgotten it, and events of the meantime are lost; calls were sent again with their ids.
   */
  readonly resumed: boolean;
  /** Milliseconds without a connection. */
  readonly awayMs: number;
}

export interface ControlEvents {
  readonly event: SessionEvent;
  /** Connected, for the first time or again. */
  readonly ready: Ready;
  /** The connection was lost; it reconnects automatically. */
  readonly disconnected: undefined;
  /** Connected again, after `ready`. */
  readonly reconnected: Reconnected;
  /** A lost connection was given up; `closed` follows. */
  readonly lost: RunCloudError;
  /** The control socket is closed for good. */
  readonly closed: RunCloudError;
}

export interface Clock {
  /** Round trip in milliseconds. */
  readonly roundTripMs: number;
  /** Microseconds since the Unix epoch, on the service's clock, in the middle of the round trip. */
  readonly serverTimeUs: number;
}

/** Maximum number of events buffered for a slow consumer. */
const EVENTS_MAX = 10_000;
const PING_MS_MAX = 10_000;
const SESSION_OVER: ErrorCode = 'active_session_not_found';
/** Maximum duration of a live gesture including its acknowledgement; the service ends an idle gesture earlier. */
const GESTURE_MS_MAX = 86_400_000;

/** The control socket of a session. A lost connection is opened again, with back-off, until the session ends. */
export class Control {
  readonly #connection: Connection<RunCloudError>;
  readonly #requests: PendingRequests;
  readonly #screens: Screens;
  readonly #emitter = new Emitter<ControlEvents>();
  readonly #iterations = new Set<Buffered<SessionEvent>>();
  readonly #pings = new Map<number, (serverTimeUs: number) => void>();
  #pingCount = 0;
  #isClosedHere = false;
  #ready: Ready | undefined;
  #lostAtMs: number | undefined;
  readonly #forget: () => void;
  /** Whether a lost connection is not waited for. */
  readonly #isUnwanted: () => boolean;

  constructor(
    { platform, isRenewed, address, open, statusOf }: SocketParts,
    { reconnectMs = BOUNDS.reconnectMs, reconnectSignal }: ReconnectOptions = {},
  ) {
    this.#connection = new Connection<RunCloudError>({
      platforms: [platform],
      addressOf: address,
      open,
      statusOf,
      random: Math.random,
      now: () => performance.now(),
      endingOf: (code, reason) => (isRenewed && code === CLOSE.revoked.code ? undefined : endingOf(code, reason)),
      refusalOf,
      gone: closedByCaller,
      resumes: true,
      patience: { ms: reconnectMs, lost: () => givenUp(reconnectSignal?.aborted ? undefined : reconnectMs) },
    });
    const sent = () => this.#connection.sent;
    this.#requests = new PendingRequests((message) => this.#connection.send(message, true), sent);
    this.#screens = new Screens((message) => this.#connection.send(message), sent);
    const giveUp = () => this.#lostAtMs !== undefined && this.#connection.giveUp();
    reconnectSignal?.addEventListener('abort', giveUp);
    this.#forget = () => reconnectSignal?.removeEventListener('abort', giveUp);
    this.#isUnwanted = () => reconnectSignal?.aborted === true;
    this.#connection.on('state', (state) => this.#entered(state));
    this.#connection.on('message', (message) => this.#received(message as unknown as Received));
    this.#connection.on('packet', ({ header, payload }) => this.#screens.packet(header, payload));
  }

  /** Connects. Rejects if the service refuses, or does not answer within `waitMs`. */
  async open(waitMs: number, { signal }: CallOptions = {}): Promise<void> {
    const deadline = new Deadline(signal, waitMs);
    try {
      await new Promise<void>((resolve, reject) => {
        const offs = [this.on('ready', () => resolve()), this.on('closed', reject)];
        deadline.signal.addEventListener('abort', () => {
          for (const off of offs) off();
          this.close();
          reject(deadline.expired ? connectedTooLate() : signal?.reason);
        });
        this.#connection.open();
      });
    } finally {
      deadline.end();
    }
  }

  /** Whether messages can be sent now. */
  get connected(): boolean {
    return this.#connection.state.kind === 'connected';
  }

  /** Whether it is closed for good. */
  get closed(): boolean {
    return this.#connection.state.kind === 'ended';
  }

  /** The service's `ready` message of the latest connection. */
  get ready(): Ready {
    if (this.#ready) return this.#ready;
    throw new Error('The control socket was never connected.');
  }

  /** Calls `listener` for each event; the returned function removes it. */
  on<Name extends keyof ControlEvents>(name: Name, listener: (value: ControlEvents[Name]) => void): () => void {
    return this.#emitter.on(name, listener);
  }

  /**
   * Events of the session from now on. The iteration ends when the session ends or you close the socket; otherwise it throws
   * the `RunCloudError` that ended the connection, such as a revoked key.
   */
  events(): AsyncIterableIterator<SessionEvent> {
    const events: Buffered<SessionEvent> = new Buffered(EVENTS_MAX, () => this.#iterations.delete(events));
    const { state } = this.#connection;
    if (state.kind === 'ended') events.end(this.#lastOf(state.ending));
    else this.#iterations.add(events);
    return events;
  }

  /** Pictures of the screen. Each is acknowledged when consumed, so a slow consumer gets fewer pictures, never late ones. */
  screen({ signal, encodings = ['h264', 'jpeg'], ...options }: ScreenOptions = {}): AsyncGenerator<ScreenPacket, void> {
    const start = defined({ type: 'screen.start', encodings: [...encodings], ...options });
    const fault = screenStart.check(start);
    if (fault) throw argumentError(fault, start, screenStart.schema);
    return this.#screens.watch(start, signal);
  }

  /** Measures the round trip to the service and the offset between the clocks. */
  async ping({ signal }: CallOptions = {}): Promise<Clock> {
    const id = ++this.#pingCount;
    const deadline = new Deadline(signal, PING_MS_MAX);
    const sentAt = performance.now();
    try {
      return await new Promise<Clock>((resolve, reject) => {
        this.#pings.set(id, (serverTimeUs) => resolve({ roundTripMs: performance.now() - sentAt, serverTimeUs }));
        const late = () => unanswered(general('ping'), 'timeout', 'The service did not answer in time.');
        deadline.signal.addEventListener('abort', () => reject(deadline.expired ? late() : signal?.reason));
        if (!this.#connection.send({ type: 'ping', id }, true)) {
          reject(unanswered(general('ping'), 'transport', 'The control socket is not connected.'));
        }
      });
    } finally {
      deadline.end();
      this.#pings.delete(id);
    }
  }

  /** Puts one or two fingers down. */
  pointer(points: readonly Point[], requestId?: string): LivePointer {
    const id = checkedRequestId(requestId);
    const step = (phase: 'begin' | 'move' | 'end', at: readonly Point[]) => {
      const message = { type: 'pointer', requestId: id, phase, points: at } as const;
      const fault = pointerMessage.check(message);
      if (fault) throw argumentError(fault, message, pointerMessage.schema);
      if (phase !== 'begin' && at.length !== points.length) {
        throw new RangeError(`"points" must be a list of ${points.length}, as many as the gesture began with.`);
      }
      return message;
    };
    const message = step('begin', points);
    const ask: Ask = { message, operation: INTERACT, waitMs: GESTURE_MS_MAX, repeatable: false };
    const result = this.#requests.ask(ask).then((acknowledgement) => completed<'pointer'>('pointer', acknowledgement));
    return livePointer({
      requestId: id,
      first: points,
      result,
      step: (phase, at) => {
        const next = step(phase, at);
        // After a lost connection the gesture is over: its later steps would only be refused.
        if (this.#requests.has(id)) this.#connection.send(next);
      },
      cancel: () => this.cancel(id),
    });
  }

  /** Sends a request, now or once connected; see `PendingRequests`. */
  ask(request: Ask): Promise<Acknowledgement> {
    return this.#requests.ask(request);
  }

  /** Cancels a request that has not ended; `false` if not connected. */
  cancel(requestId: string): boolean {
    return this.#connection.send({ type: 'cancel', requestId });
  }

  /** Closes for good. Pending calls fail; interactions that were accepted go on. */
  close(): void {
    if (this.closed) return;
    this.#isClosedHere = true;
    this.#connection.close();
  }

  /** Closes the control socket at the end of a `using`. */
  [Symbol.dispose](): void {
    this.close();
  }

  /** Closes the control socket at the end of an `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  #lastOf(error: RunCloudError): { readonly error?: RunCloudError } {
    return this.#isClosedHere || error.code === SESSION_OVER ? {} : { error };
  }

  #entered(state: ConnectionState<RunCloudError>): void {
    if (state.kind === 'connected') {
      const { resumed = false, connection } = state.ready;
      const received = resumed ? connection?.received : undefined;
      const lostAtMs = this.#lostAtMs;
      this.#lostAtMs = undefined;
      this.#ready = state.ready as unknown as Ready;
      this.#requests.connected(received);
      this.#screens.connected(received);
      this.#emitter.emit('ready', this.#ready);
      if (lostAtMs !== undefined) {
        this.#emitter.emit('reconnected', { resumed, awayMs: Math.round(performance.now() - lostAtMs) });
      }
    } else if (state.kind === 'waiting') {
      if (this.#ready) this.#lostAtMs ??= performance.now();
      this.#requests.disconnected();
      this.#screens.disconnected();
      this.#emitter.emit('disconnected', undefined);
      if (this.#isUnwanted() && this.#lostAtMs !== undefined) this.#connection.giveUp();
    } else if (state.kind === 'ended') {
      this.#forget();
      this.#requests.end(state.ending);
      this.#screens.end(state.ending);
      for (const events of [...this.#iterations]) events.end(this.#lastOf(state.ending));
      if (state.isLost) this.#emitter.emit('lost', state.ending);
      this.#emitter.emit('closed', state.ending);
    }
  }

  #received(message: Received): void {
    switch (message.type) {
      case 'accepted':
      case 'dispatched':
        this.#requests.stage(message);
        break;
      case 'result': {
        const { type: _type, ...acknowledgement } = message;
        this.#requests.stage(message);
        this.#requests.settle(acknowledgement);
        break;
      }
      case 'observed': {
        const { type: _type, requestId, ...observed } = message;
        this.#requests.observed(requestId, observed);
        break;
      }
      case 'event': {
        const { type: _type, ...event } = message;
        for (const events of this.#iterations) events.push(event);
        this.#emitter.emit('event', event);
        break;
      }
      case 'screen.started':
        this.#screens.started(message);
        break;
      case 'screen.stopped':
        this.#screens.stopped(message.streamId);
        break;
      case 'pong':
        this.#pings.get(message.id)?.(message.serverTimeUs);
        break;
      case 'error':
        this.#refused(message);
        break;
      default:
        break;
    }
  }

  /** A message that could not be answered otherwise. */
  #refused({ code, message, requestId }: Extract<Received, { type: 'error' }>): void {
    if (requestId === undefined) return this.#screens.refused(code, message);
    const error = { code, message, retryable: code === 'rate_limited' };
    this.#requests.fail(requestId, new RunCloudError({ operation: 'control', error, envelope: { requestId } }));
  }
}

type Received =
  | Stage
  | ({ readonly type: 'event' } & SessionEvent)
  | ({ readonly type: 'screen.started' } & ScreenStarted)
  | ({ readonly type: 'observed'; readonly requestId: string } & Observed)
  | { readonly type: 'screen.stopped'; readonly streamId: number }
  | { readonly type: 'pong'; readonly id: number; readonly serverTimeUs: number }
  | { readonly type: 'error'; readonly code: ErrorCode; readonly message: string; readonly requestId?: string }
  /** Handled by the connection. */
  | { readonly type: 'ready' };
