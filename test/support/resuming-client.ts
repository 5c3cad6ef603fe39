import {
  type Acknowledgement,
  CONTROL_SUBPROTOCOL,
  decodeServerMessage,
  encodeClientMessage,
  type ServerMessage,
  type SessionRecord,
} from '@runcloud/protocol';
import { WebSocket } from 'ws';

type Message = Readonly<Record<string, unknown>> & { readonly requestId?: string };
type Ready = Extract<ServerMessage, { type: 'ready' }>;

export interface ResumingClientOptions {
  readonly url: string;
  readonly session: SessionRecord;
  readonly authorization: string;
  /** Added to the count of messages each time it resumes: a client that counts wrongly. */
  readonly miscountedBy?: number;
}

/** A client of the protocol alone that resumes its connection whenever its socket is lost. It keeps everything it is told. */
export class ResumingClient {
  /** Messages with a number, in their order. */
  readonly log: ServerMessage[] = [];
  readonly results = new Map<string, Acknowledgement[]>();
  /** Milliseconds from the attempt to open a socket to `ready`, of each socket behind the first. */
  readonly resumedMs: number[] = [];
  refused = 0;
  readonly #options: ResumingClientOptions;
  /** Messages of this connection, those included that could not be sent yet. */
  #sent: Message[] = [];
  #got = 0;
  #socket: WebSocket | undefined;
  #ready: Ready | undefined;
  #isConnected = false;
  #isOver = false;
  #changed: (() => void)[] = [];

  constructor(options: ResumingClientOptions) {
    this.#options = options;
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
    const { url, session, authorization, miscountedBy = 0 } = this.#options;
    const { id, epoch } = this.#ready?.connection ?? {};
    // What is told is what is counted on from: a wrong count is not righted by the message that it costs.
    if (id !== undefined) this.#got = Math.max(0, this.#got + miscountedBy);
    const resume = id === undefined ? '' : `?resume=${id}.${epoch}.${this.#got}`;
    const address = `${url.replace('http', 'ws')}/service/${session.platform}/${session.id}/control${resume}`;
    const socket = new WebSocket(address, CONTROL_SUBPROTOCOL, { headers: { Authorization: authorization } });
    const startedMs = performance.now();
    this.#socket = socket;
    socket.on('error', () => undefined);
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
      if (this.#socket === socket && !this.#isOver) setTimeout(() => this.#open(), Math.random() * 3);
    });
  }

  #begin(ready: Ready, socket: WebSocket): void {
    const isFirst = this.#ready === undefined;
    this.#ready = ready;
    this.#isConnected = true;
    if (!isFirst && !ready.resumed) {
      this.refused++;
      this.#got = 0;
      this.#sent = this.#sent.filter(({ requestId }) => requestId !== undefined && !this.results.has(requestId));
    }
    // What the service has not received was lost.
    for (const message of this.#sent.slice(ready.connection?.received)) socket.send(encodeClientMessage(message));
  }

  #take(message: ServerMessage): void {
    this.#got++;
    this.log.push(message);
    if (message.type === 'result') {
      const { type: _type, ...result } = message;
      const known = this.results.get(message.requestId);
      if (known) known.push(result);
      else this.results.set(message.requestId, [result]);
    }
    for (const changed of this.#changed.splice(0)) changed();
  }
}
