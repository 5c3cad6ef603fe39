import type { CONTROL_SUBPROTOCOL, Platform, ServerMessage } from '@runcloud/protocol';
import { CLOSE } from '../../protocol/close-codes.ts';
import { SCREEN_PACKET_KIND, type ScreenHeader } from '../../protocol/screen-packet.ts';
import { backOffMs } from './backoff.ts';
import { decodeMessage, encodeMessage } from './codec.ts';
import { Emitter } from './emitter.ts';

/**
 * One control socket that reconnects automatically. A lost connection is reopened after a back-off, until the server refuses
 * it for good.
 */
export type ConnectionState<E> =
  | { readonly kind: 'connecting'; readonly attempt: number }
  | { readonly kind: 'connected'; readonly ready: Ready }
  | { readonly kind: 'waiting'; readonly attempt: number; readonly forMs: number }
  /** `isLost`: it was given up, and not closed by either side. */
  | { readonly kind: 'ended'; readonly ending: E; readonly isLost?: true };

export interface ConnectionEvents<E> {
  readonly state: ConnectionState<E>;
  readonly message: ServerMessage;
  readonly packet: { readonly header: ScreenHeader; readonly payload: Uint8Array<ArrayBuffer>; readonly bytes: number };
}

/** Functions that a connection needs from its runtime; `E` is the runtime's description of a final close. */
export interface ConnectionParts<E> {
  readonly addressOf: (platform: Platform) => URL;
  readonly platforms: readonly Platform[];
  readonly open: (address: string, protocol: string) => WebSocket;
  /** The HTTP status at an address; `undefined` if no answer comes before the signal is aborted. */
  readonly statusOf: (address: URL, signal: AbortSignal) => Promise<number | undefined>;
  readonly random: () => number;
  readonly now: () => number;
  /** The ending for a close code of an open socket; `undefined` if it reconnects. */
  readonly endingOf: (code: number, reason?: string) => E | undefined;
  /** The ending for the HTTP status at the address after a refused handshake. */
  readonly refusalOf: (status: number) => E | 'other-platform' | undefined;
  /** The endings when no platform has the session, and after a close by this side. */
  readonly gone: () => E;
  /**
   * Resumes the connection over its next socket; otherwise each socket is a connection of its own. What was under way then
   * goes on by itself if `ready.resumed` says so: see `protocol/README.md`, "Resuming".
   */
  readonly resumes?: boolean;
  /** Milliseconds after which a lost connection is given up, and how it then ends; without it, it never is. */
  readonly patience?: { readonly ms: number; readonly lost: () => E };
}

type Ready = Extract<ServerMessage, { type: 'ready' }>;

/** Repeated here: the file that defines it also loads the routes, which a page does not need. */
const SUB_PROTOCOL: typeof CONTROL_SUBPROTOCOL = 'runcloud.v1';
/** `WebSocket.OPEN`, which not every runtime has by this name. */
const OPEN = 1;
/** A connection that lasted this long resets the back-off. */
const STEADY_MS = 10_000;
/** Timeout for any message after one was sent that has an answer, and then again after a ping. */
const SILENCE_MS = 8_000;
/** A connection is pinged after this time without a message: a dead network does not close a socket. */
const QUIET_MS = 30_000;
/** `ping` ids of the connection itself; the latency overlay counts from 1. */
const PROBE_ID = 0;

export class Connection<E> extends Emitter<ConnectionEvents<E>> {
  readonly #parts: ConnectionParts<E>;
  #state: ConnectionState<E> = { kind: 'connecting', attempt: 0 };
  #socket: WebSocket | undefined;
  #platform = 0;
  #attempt = 0;
  #connectedAt = 0;
  #endReason: string | undefined;
  #resumable: Ready['connection'];
  /** Messages of the server, and messages to it, over all sockets of the connection. */
  #got = 0;
  #sent = 0;
  #patience: ReturnType<typeof setTimeout> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #quiet: ReturnType<typeof setInterval> | undefined;
  #heardAt = 0;

  constructor(parts: ConnectionParts<E>) {
    super();
    this.#parts = parts;
  }

  get state(): ConnectionState<E> {
    return this.#state;
  }

  /** Connects now: at the start, or when the user does not want to wait for the back-off. */
  open(): void {
    if (this.#state.kind === 'connected' || this.#socket) return;
    clearTimeout(this.#retry);
    this.#enter({ kind: 'connecting', attempt: this.#attempt });
    const platform = this.#parts.platforms[this.#platform] ?? 'ios';
    const address = this.#parts.addressOf(platform);
    const socketAddress = new URL(address);
    socketAddress.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
    if (this.#parts.resumes && this.#resumable) {
      const { id, epoch } = this.#resumable;
      socketAddress.searchParams.set('resume', `${id}.${epoch}.${this.#got}`);
    }
    const socket = this.#parts.open(socketAddress.href, SUB_PROTOCOL);
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    // The other side may accept the connection but never answer the handshake or send `ready`.
    this.#listen();
    let opened = false;
    socket.onopen = () => {
      opened = true;
      this.#listen();
    };
    socket.onmessage = ({ data }) => this.#receive(data);
    socket.onclose = ({ code }) => {
      if (this.#socket === socket) this.#closed(code, opened, address);
    };
  }

  /**
   * How many messages were sent over this connection. After it was resumed, those that came behind the first
   * `ready.connection.received` are lost, and do not count.
   */
  get sent(): number {
    return this.#sent;
  }

  /** Sends a message now; `false` if not connected. */
  send(message: Readonly<Record<string, unknown>>, answered = false): boolean {
    // A socket that has begun to close takes a message and drops it.
    if (this.#state.kind !== 'connected' || this.#socket?.readyState !== OPEN) return false;
    this.#socket.send(encodeMessage(message));
    this.#sent++;
    if (answered && this.#silence === undefined) this.#listen();
    return true;
  }

  /** Pings the server, after a change of network or a sleep: a lost socket is detected within seconds. */
  probe(): void {
    if (this.#state.kind === 'waiting') this.open();
    else if (this.send({ type: 'ping', id: PROBE_ID })) this.#listen();
  }

  /** Opens another socket soon, in place of one that gives no sign of life, or whose handshake does not. */
  renew(): void {
    if (this.#state.kind === 'connected' || this.#state.kind === 'connecting') this.#lost();
  }

  close(): void {
    this.#end({ ending: this.#parts.gone() });
  }

  /** Gives a lost connection up; does nothing while it is connected. */
  giveUp(): void {
    const { patience } = this.#parts;
    if (!patience || this.#state.kind === 'connected' || this.#state.kind === 'ended') return;
    this.#end({ ending: patience.lost(), isLost: true });
  }

  #listen(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => {
      this.#silence = setTimeout(() => this.#lost(), SILENCE_MS);
      this.send({ type: 'ping', id: PROBE_ID });
    }, SILENCE_MS);
  }

  #receive(data: unknown): void {
    this.#heardAt = this.#parts.now();
    clearTimeout(this.#silence);
    this.#silence = undefined;
    if (!(data instanceof ArrayBuffer)) return;
    const bytes = new Uint8Array(data);
    const received = decodeMessage(bytes);
    const isReady = received.kind === 'message' && received.message.type === 'ready';
    // A message of a newer server counts, whatever it says.
    if (!isReady && bytes[0] !== SCREEN_PACKET_KIND) this.#got++;
    if (received.kind === 'screen') {
      this.emit('packet', { ...received, bytes: data.byteLength });
    } else if (received.kind === 'message') {
      const { message } = received;
      if (message.type === 'ready') {
        this.#connectedAt = this.#parts.now();
        if (!message.resumed) this.#got = 0;
        this.#sent = message.connection?.received ?? 0;
        this.#resumable = message.connection;
        clearTimeout(this.#patience);
        this.#patience = undefined;
        clearInterval(this.#quiet);
        this.#quiet = setInterval(() => this.#askIfQuiet(), QUIET_MS);
        this.#enter({ kind: 'connected', ready: message });
      } else if (message.type === 'event' && message.event === 'session.ended') {
        this.#endReason = message.reason;
      }
      this.emit('message', message);
    }
  }

  #askIfQuiet(): void {
    if (this.#parts.now() - this.#heardAt >= QUIET_MS && this.#silence === undefined) this.probe();
  }

  /** Drops a silent socket without waiting for its close, which may never come. */
  #lost(): void {
    // Any other code would end a connection that is to be resumed, should it still arrive.
    this.#drop(this.#parts.resumes ? CLOSE.moved.code : CLOSE.normal.code);
    this.#again();
  }

  /** Ends it for good. */
  #end(ended: Omit<Extract<ConnectionState<E>, { kind: 'ended' }>, 'kind'>): void {
    this.#drop();
    clearTimeout(this.#patience);
    this.#enter({ kind: 'ended', ...ended });
  }

  #drop(code: number = CLOSE.normal.code): void {
    const socket = this.#socket;
    this.#socket = undefined;
    clearTimeout(this.#silence);
    clearTimeout(this.#retry);
    clearInterval(this.#quiet);
    this.#silence = undefined;
    socket?.close(code);
  }

  #closed(code: number, opened: boolean, address: URL): void {
    this.#drop();
    const ending = opened ? this.#parts.endingOf(code, this.#endReason) : undefined;
    if (ending) this.#end({ ending });
    else if (opened) this.#again();
    else void this.#refused(address);
  }

  /** A browser hides why a handshake failed; a plain HTTP request to the same address tells. */
  async #refused(address: URL): Promise<void> {
    const asked = new AbortController();
    const late = setTimeout(() => asked.abort(), SILENCE_MS);
    const status = await Promise.race([
      this.#parts.statusOf(address, asked.signal),
      new Promise<undefined>((resolve) => asked.signal.addEventListener('abort', () => resolve(undefined))),
    ]).catch(() => undefined);
    clearTimeout(late);
    if (this.#socket || this.#state.kind === 'ended') return;
    const refusal = status === undefined ? undefined : this.#parts.refusalOf(status);
    if (refusal === 'other-platform') {
      this.#platform += 1;
      if (this.#platform < this.#parts.platforms.length) this.open();
      else this.#end({ ending: this.#parts.gone() });
    } else if (refusal) {
      this.#end({ ending: refusal });
    } else {
      this.#again();
    }
  }

  #again(): void {
    const held = this.#state.kind === 'connected' && this.#parts.now() - this.#connectedAt >= STEADY_MS;
    if (held) this.#attempt = 0;
    const { patience } = this.#parts;
    if (patience && this.#state.kind === 'connected' && Number.isFinite(patience.ms)) {
      this.#patience = setTimeout(() => this.giveUp(), patience.ms);
    }
    const forMs = backOffMs(this.#attempt, this.#parts.random);
    this.#attempt += 1;
    this.#retry = setTimeout(() => this.open(), forMs);
    // Last, since a listener may end it.
    this.#enter({ kind: 'waiting', attempt: this.#attempt, forMs });
  }

  #enter(state: ConnectionState<E>): void {
    this.#state = state;
    this.emit('state', state);
  }
}
