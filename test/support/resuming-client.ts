import {
  CONTROL_SUBPROTOCOL,
  decodeServerMessage,
  encodeClientMessage,
  type ServerMessage,
  type SessionRecord,
} from '@runcloud/protocol';
import { WebSocket } from 'ws';
import { AnswerCheck } from './answer-check.ts';

type Message = Readonly<Record<string, unknown>> & { readonly requestId?: string };
type Ready = Extract<ServerMessage, { type: 'ready' }>;

export interface ResumingClientOptions {
  /** Asked whenever a socket is opened. */
  readonly url: () => string;
  readonly session: SessionRecord;
  readonly authorization: string;
  /** Added to the count of messages each time it resumes: a client that counts wrongly. */
  readonly miscountedBy?: number;
  /** Longest pause before a socket that was lost is opened again. */
  readonly pauseMsMax?: number;
  /** Where messages are heard, they are not kept, nor is what has been answered. */
  readonly onMessage?: (message: ServerMessage) => void;
  /** The service has answered an upgrade with this status. */
  readonly onUnwanted?: (status: number) => void;
  readonly answers?: AnswerCheck;
}

const PAUSE_MS_MAX = 3;

/** A client of the protocol alone that resumes its connection whenever its socket is lost. */
export class ResumingClient {
  /** Messages with a number, in their order. */
  readonly log: ServerMessage[] = [];
  readonly answers: AnswerCheck;
  /** Milliseconds from the attempt to open a socket to `ready`, of each socket behind the first. */
  readonly resumedMs: number[] = [];
  refused = 0;
  readonly #options: ResumingClientOptions;
  /** Messages of this connection, those included that could not be sent yet, without the first `#forgotten`. */
  #sent: Message[] = [];
  #forgotten = 0;
  #got = 0;
  #socket: WebSocket | undefined;
  #ready: Ready | undefined;
  #isConnected = false;
  #isOver = false;
  #changed: (() => void)[] = [];

  constructor(options: ResumingClientOptions) {
    this.#options = options;
    this.answers = options.answers ?? new AnswerCheck();
    this.#open();
  }

  /** Sends a message now, or when it is connected. */
  send(message: Message): void {
    this.#sent.push(message);
    if (this.#isConnected) this.#socket?.send(encodeClientMessage(message));
  }

  /** Waits for the next message; `false` if none comes for so long. */
  async change(withinMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), withinMs);
      this.#changed.push(() => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }

  /** Resumes once more on its own, over a network of this address. */
  reopen(): void {
    this.#socket?.terminate();
  }

  close(): void {
    this.#isOver = true;
    this.#socket?.close(1000);
  }

  #open(): void {
    const { url, session, authorization, miscountedBy = 0, pauseMsMax = PAUSE_MS_MAX, onUnwanted } = this.#options;
    const { id, epoch } = this.#ready?.connection ?? {};
    // What is told is what is counted on from: a wrong count is not righted by the message that it costs.
    if (id !== undefined) this.#got = Math.max(0, this.#got + miscountedBy);
    const resume = id === undefined ? '' : `?resume=${id}.${epoch}.${this.#got}`;
    const address = `${url().replace('http', 'ws')}/service/${session.platform}/${session.id}/control${resume}`;
    const socket = new WebSocket(address, CONTROL_SUBPROTOCOL, { headers: { Authorization: authorization } });
    const startedMs = performance.now();
    this.#socket = socket;
    socket.on('error', () => undefined);
    socket.on('unexpected-response', (_request, { statusCode = 0 }) => {
      onUnwanted?.(statusCode);
      socket.terminate();
    });
    socket.on('message', (data: Buffer) => {
      if (this.#socket !== socket) return;
      const read = decodeServerMessage(data);
      if (read.kind !== 'message') return;
      if (read.message.type !== 'ready') return this.#take(read.message);
      if (id !== undefined) this.resumedMs.push(performance.now() - startedMs);
      this.#begin(read.message, socket);
    });
    socket.on('close', () => {
      this.#isConnected = false;
      if (this.#socket === socket && !this.#isOver) setTimeout(() => this.#open(), Math.random() * pauseMsMax);
    });
  }

  #begin(ready: Ready, socket: WebSocket): void {
    const isFirst = this.#ready === undefined;
    this.#ready = ready;
    this.#isConnected = true;
    if (!isFirst && !ready.resumed) {
      this.refused++;
      this.#got = 0;
      this.#forgotten = 0;
      this.#sent = this.#sent.filter(({ requestId }) => requestId !== undefined && this.answers.isOpen(requestId));
    }
    // What the service has not received was lost.
    const received = Math.max(0, (ready.connection?.received ?? 0) - this.#forgotten);
    for (const message of this.#sent.slice(received)) socket.send(encodeClientMessage(message));
  }

  #take(message: ServerMessage): void {
    this.#got++;
    const { onMessage } = this.#options;
    if (message.type === 'result') {
      const { type: _type, ...result } = message;
      this.answers.answered(result);
      if (onMessage) this.#forget(message.requestId);
    }
    if (onMessage) onMessage(message);
    else this.log.push(message);
    for (const changed of this.#changed.splice(0)) changed();
  }

  /** What was sent up to an answered request has been received. */
  #forget(requestId: string): void {
    const place = this.#sent.findIndex((each) => each.requestId === requestId);
    this.#sent.splice(0, place + 1);
    this.#forgotten += place + 1;
  }
}
