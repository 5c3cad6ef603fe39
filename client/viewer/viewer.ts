import type { Acknowledgement, Event, Orientation, Platform, Point, Role, ServerMessage } from '@runcloud/protocol';
import { Connection, type ConnectionParts, type ConnectionState } from '../core/connection.ts';
import { Emitter } from '../core/emitter.ts';
import type { Ending } from './connection/ending.ts';
import { ViewerRequests } from './connection/requests.ts';
import type { FromServer, Ready, ScreenHeader } from './protocol.ts';

/** A flat interaction (protocol, section 7); a missing `requestId` is generated. */
export interface Interaction {
  readonly action: string;
  readonly requestId?: string;
  readonly timeoutMs?: number;
  readonly [field: string]: unknown;
}

/** A finger, or two, that are on the screen now. */
export interface LiveGesture {
  readonly requestId: string;
  readonly result: Promise<Acknowledgement>;
  move(points: readonly Point[]): void;
  end(points: readonly Point[]): void;
  /** Lifts the fingers without the app taking it for a touch that ended there. */
  cancel(): void;
}

export interface ScreenPacket {
  readonly header: ScreenHeader;
  readonly payload: Uint8Array<ArrayBuffer>;
  /** Of the whole message. */
  readonly bytes: number;
}

export interface ViewerEvents {
  readonly state: ConnectionState<Ending>;
  readonly ready: Ready;
  readonly event: Event;
  readonly orientation: Orientation;
  readonly packet: ScreenPacket;
  readonly 'screen.started': FromServer<'screen.started'>;
  readonly 'screen.stopped': FromServer<'screen.stopped'>;
  readonly dispatched: FromServer<'dispatched'>;
  readonly pong: FromServer<'pong'>;
  /** An interaction or the first step of a live gesture left the page. */
  readonly sent: { readonly requestId: string };
  readonly result: Acknowledgement;
}

/**
 * One session, as a page sees it: the connection, its requests and its events. The page's own controls and an
 * embedding page's bridge both use this, and nothing below it.
 */
export class Viewer extends Emitter<ViewerEvents> {
  readonly #connection: Connection<Ending>;
  readonly #requests: ViewerRequests;
  readonly #idPrefix = `v${Math.random().toString(36).slice(2, 10)}-`;
  #idCount = 0;
  #ready: Ready | undefined;
  #orientation: Orientation = 'portrait';

  constructor(parts: ConnectionParts<Ending>) {
    super();
    this.#connection = new Connection(parts);
    this.#requests = new ViewerRequests((message) => this.#connection.send(message, true));
    this.#connection.on('state', (state) => this.#entered(state));
    this.#connection.on('message', (message) => this.#received(message));
    this.#connection.on('packet', (packet) => this.emit('packet', packet));
  }

  get state(): ConnectionState<Ending> {
    return this.#connection.state;
  }

  /** The server's `ready` message of the last connection; absent before the first connection. */
  get ready(): Ready | undefined {
    return this.#ready;
  }

  get role(): Role | undefined {
    return this.#ready?.role;
  }

  get platform(): Platform | undefined {
    return this.#ready?.session.platform;
  }

  get orientation(): Orientation {
    return this.#orientation;
  }

  /** Connects, or connects again without waiting. */
  open(): void {
    this.#connection.open();
  }

  /** Finds out soon whether the connection is still there. */
  probe(): void {
    this.#connection.probe();
  }

  /** Ends the connection for good. */
  close(): void {
    this.#connection.close();
  }

  /** Carries out one interaction. Never rejects; survives a lost connection, without a second effect. */
  interact(interaction: Interaction): Promise<Acknowledgement> {
    const requestId = interaction.requestId ?? this.newRequestId();
    this.emit('sent', { requestId });
    return this.ask({ ...interaction, type: 'interaction', requestId });
  }

  /** Ends a request, if it has not ended: its own result tells. */
  cancel(requestId: string, action?: string): void {
    this.#connection.send({ type: 'cancel', requestId, action });
  }

  screenshot(): Promise<Acknowledgement> {
    return this.ask({ type: 'screenshot', requestId: this.newRequestId() });
  }

  startRecording(): Promise<Acknowledgement> {
    const requestId = this.newRequestId();
    return this.ask({ type: 'recording.start', requestId, idempotencyKey: requestId });
  }

  stopRecording(recordingId: string): Promise<Acknowledgement> {
    return this.ask({ type: 'recording.stop', requestId: this.newRequestId(), recordingId });
  }

  listRecordings(): Promise<Acknowledgement> {
    return this.ask({ type: 'recording.list', requestId: this.newRequestId() });
  }

  /** Puts one or two fingers down. They are lifted when the connection breaks. */
  touch(points: readonly Point[]): LiveGesture {
    const requestId = this.newRequestId();
    this.emit('sent', { requestId });
    const result = this.ask({ type: 'pointer', requestId, phase: 'begin', points }, false);
    const step = (phase: 'move' | 'end', points: readonly Point[]) => {
      // After a lost connection the gesture is over: its later steps would only be refused.
      if (this.#requests.has(requestId)) this.#connection.send({ type: 'pointer', requestId, phase, points });
    };
    return {
      requestId,
      result,
      move: (points) => step('move', points),
      end: (points) => step('end', points),
      cancel: () => this.cancel(requestId, 'pointer'),
    };
  }

  /** Sends a message without a result, such as `screen.ack`; `false` if not connected. */
  tell(message: Readonly<Record<string, unknown>> & { readonly type: string }): boolean {
    return this.#connection.send(message, message.type === 'ping');
  }

  /** Sends any message that ends with a `result`. */
  ask(message: Readonly<Record<string, unknown>> & { readonly requestId: string }, repeatable = true) {
    return this.#requests.ask(message, repeatable);
  }

  newRequestId(): string {
    this.#idCount += 1;
    return `${this.#idPrefix}${this.#idCount}`;
  }

  #entered(state: ConnectionState<Ending>): void {
    if (state.kind === 'waiting') this.#requests.lost();
    if (state.kind === 'ended') this.#requests.end(`${state.ending.title}.`);
    if (state.kind === 'connected') {
      this.#ready = state.ready;
      this.#turn(state.ready.session.orientation);
    }
    this.emit('state', state);
    if (state.kind === 'connected') {
      this.emit('ready', state.ready);
      this.#requests.resume();
    }
  }

  #received(message: ServerMessage): void {
    switch (message.type) {
      case 'dispatched':
      case 'pong':
      case 'screen.started':
      case 'screen.stopped':
        this.#pass(message);
        break;
      case 'result': {
        const { type: _type, ...acknowledgement } = message;
        this.#requests.settle(acknowledgement);
        this.emit('result', acknowledgement);
        break;
      }
      case 'event':
        if (message.event === 'orientation') this.#turn(message.orientation);
        this.emit('event', message);
        break;
      default:
        break;
    }
  }

  #pass(message: FromServer<'dispatched' | 'pong' | 'screen.started' | 'screen.stopped'>): void {
    if (message.type === 'dispatched') this.emit('dispatched', message);
    else if (message.type === 'pong') this.emit('pong', message);
    else if (message.type === 'screen.started') this.emit('screen.started', message);
    else this.emit('screen.stopped', message);
  }

  #turn(orientation: Orientation): void {
    if (this.#orientation === orientation) return;
    this.#orientation = orientation;
    this.emit('orientation', orientation);
  }
}
