import type { Acknowledgement, Event, Orientation, Platform, Point, Role, ServerMessage } from '@runcloud/protocol';
import { Connection, type ConnectionParts, type ConnectionState } from '../core/connection.ts';
import { Emitter } from '../core/emitter.ts';
import type { ClipboardAction } from '../embed/messages.ts';
import { ControlWatch, notInControl } from './connection/control-watch.ts';
import type { Ending } from './connection/ending.ts';
import { type Liveness, LivenessWatch, TICK_MS } from './connection/liveness.ts';
import { type Delivery, unsent, ViewerRequests } from './connection/requests.ts';
import type { FromServer, Ready, ScreenHeader } from './protocol.ts';

/** A connection that has been lost for this long, though its socket is open, is resumed over another one. */
const RENEW_AFTER_MS = 3_000;
/** A socket that is not ready within this time, after a loss, is given up for another one. */
const READY_WITHIN_MS = 4_000;

/** A flat interaction (protocol, section 7); a missing `requestId` is generated. */
export interface Interaction {
  readonly action: string;
  readonly requestId?: string;
  readonly timeoutMs?: number;
  readonly [field: string]: unknown;
}

export type ControlStep = 'request' | 'take' | 'release' | 'grant' | 'deny';

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
  /** Whether the service answers, while there is a connection. */
  readonly liveness: Liveness;
  /** Milliseconds from a ping to its answer; about once a second. */
  readonly roundTrip: number;
  readonly ready: Ready;
  readonly event: Event;
  /** Who has control, or who waits for it, may have changed. */
  readonly control: ControlWatch;
  /** This page asked something of control. */
  readonly controlAsked: ControlStep;
  readonly orientation: Orientation;
  readonly packet: ScreenPacket;
  readonly 'screen.started': FromServer<'screen.started'>;
  readonly 'screen.stopped': FromServer<'screen.stopped'>;
  readonly dispatched: FromServer<'dispatched'>;
  /** An interaction or the first step of a live gesture left the page. */
  readonly sent: { readonly requestId: string };
  readonly result: Acknowledgement;
}

/**
 * One session, as a page sees it: the connection, its requests and its events. The page's own controls and an
 * embedding page's bridge both use this, and nothing below it.
 */
export class Viewer extends Emitter<ViewerEvents> {
  readonly control = new ControlWatch();
  readonly #connection: Connection<Ending>;
  readonly #requests: ViewerRequests;
  readonly #watch: LivenessWatch;
  readonly #now: () => number;
  readonly #idPrefix = `v${Math.random().toString(36).slice(2, 10)}-`;
  #idCount = 0;
  #ready: Ready | undefined;
  #orientation: Orientation = 'portrait';
  #ticking: ReturnType<typeof setInterval> | undefined;
  #renewing: ReturnType<typeof setTimeout> | undefined;
  #heardAtMs: number | undefined;

  constructor(parts: ConnectionParts<Ending>) {
    super();
    this.#connection = new Connection(parts);
    this.#now = parts.now;
    this.#requests = new ViewerRequests({
      send: (message) => this.#connection.send(message, true),
      sent: () => this.#connection.sent,
      now: parts.now,
    });
    this.#watch = new LivenessWatch({
      ping: (id) => this.#connection.send({ type: 'ping', id }, true),
      changed: (liveness) => {
        this.#renewAfter(liveness === 'lost' ? RENEW_AFTER_MS : undefined);
        this.emit('liveness', liveness);
      },
      roundTrip: (ms) => this.emit('roundTrip', ms),
    });
    this.#connection.on('state', (state) => this.#entered(state));
    this.#connection.on('message', (message) => this.#received(message));
    this.#connection.on('packet', (packet) => {
      this.#heard();
      this.emit('packet', packet);
    });
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

  get liveness(): Liveness {
    return this.#watch.liveness;
  }

  /** Milliseconds since the service was heard last; `undefined` before the first time. */
  get silentMs(): number | undefined {
    return this.#heardAtMs === undefined ? undefined : this.#now() - this.#heardAtMs;
  }

  /** Whether an input of the page's user would reach the device now. */
  get takesInput(): boolean {
    const { state, liveness, control } = this;
    return this.role === 'control' && state.kind === 'connected' && liveness !== 'lost' && control.other === undefined;
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

  /** Carries out an input of the page's user, soon or not at all: one that arrives late does harm. Never rejects. */
  act(interaction: Omit<Interaction, 'requestId'>): Promise<Acknowledgement> {
    const requestId = this.newRequestId();
    const message = { ...interaction, type: 'interaction', requestId };
    const { other } = this.control;
    if (other !== undefined) return Promise.resolve(notInControl(requestId, String(interaction.action), other));
    if (this.liveness === 'lost') return Promise.resolve(unsent(message));
    this.emit('sent', { requestId });
    return this.ask(message, 'soon');
  }

  /** Ends a request, if it has not ended: its own result tells. */
  cancel(requestId: string, action?: string): void {
    this.#connection.send({ type: 'cancel', requestId, action });
  }

  openUrl(url: string): Promise<Acknowledgement> {
    return this.ask({ type: 'open-url', requestId: this.newRequestId(), url }, 'soon');
  }

  readClipboard(): Promise<Acknowledgement> {
    return this.ask({ type: 'clipboard.get', requestId: this.newRequestId() }, 'soon');
  }

  /** Reads or writes the text in the device's clipboard, for a page around this one. Never rejects. */
  clipboard(type: ClipboardAction, requestId: string, text: unknown): Promise<Acknowledgement> {
    return this.ask({ type, requestId, ...(text === undefined ? {} : { text }) });
  }

  /**
   * Asks something of control.
   * @param participant who waits, for a grant or a denial
   */
  askControl(step: ControlStep, participant?: string): Promise<Acknowledgement> {
    this.emit('controlAsked', step);
    const about = participant === undefined ? {} : { participant };
    return this.ask({ type: `control.${step}`, requestId: this.newRequestId(), ...about }, 'soon');
  }

  /** Reads what is on the screen; the acknowledgement's `result` is a `UiTree`. Never rejects. */
  readUi(): Promise<Acknowledgement> {
    return this.ask({ type: 'ui', requestId: this.newRequestId() }, 'once');
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
    const result = this.ask({ type: 'pointer', requestId, phase: 'begin', points }, 'once');
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
    return this.#connection.send(message);
  }

  /** Sends any message that ends with a `result`. */
  ask(message: Readonly<Record<string, unknown>> & { readonly requestId: string }, delivery?: Delivery) {
    return this.#requests.ask(message, delivery);
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
      this.control.ready(state.ready);
    }
    this.#follow(state.kind === 'connected');
    this.#renewAfter(state.kind === 'connecting' && state.attempt > 0 ? READY_WITHIN_MS : undefined);
    this.emit('state', state);
    if (state.kind === 'connected') {
      this.emit('control', this.control);
      this.emit('ready', state.ready);
      this.#requests.resume(state.ready.resumed ? state.ready.connection?.received : undefined);
    }
  }

  #renewAfter(ms: number | undefined): void {
    clearTimeout(this.#renewing);
    if (ms !== undefined) this.#renewing = setTimeout(() => this.#connection.renew(), ms);
  }

  #heard(): void {
    this.#heardAtMs = this.#now();
    this.#watch.heard(this.#heardAtMs);
  }

  #follow(isConnected: boolean): void {
    clearInterval(this.#ticking);
    if (!isConnected) return this.#watch.disconnected();
    this.#watch.connected(this.#now());
    this.#ticking = setInterval(() => this.#watch.tick(this.#now()), TICK_MS);
  }

  #received(message: ServerMessage): void {
    this.#heard();
    switch (message.type) {
      case 'pong':
        this.#watch.ponged(message.id, this.#now());
        break;
      case 'dispatched':
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
        if (this.control.told(message)) this.emit('control', this.control);
        this.emit('event', message);
        break;
      default:
        break;
    }
  }

  #pass(message: FromServer<'dispatched' | 'screen.started' | 'screen.stopped'>): void {
    if (message.type === 'dispatched') this.emit('dispatched', message);
    else if (message.type === 'screen.started') this.emit('screen.started', message);
    else this.emit('screen.stopped', message);
  }

  #turn(orientation: Orientation): void {
    if (this.#orientation === orientation) return;
    this.#orientation = orientation;
    this.emit('orientation', orientation);
  }
}
