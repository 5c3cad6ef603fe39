import { once } from 'node:events';
import {
  CONTROL_SUBPROTOCOL,
  decodeServerMessage,
  encodeClientMessage,
  randomBase62,
  type ServerMessage,
} from '@runcloud/protocol';
import WebSocket from 'ws';
import type { StillsSession } from './job.ts';

type ClientMessageInput = Parameters<typeof encodeClientMessage>[0];
type Result = Extract<ServerMessage, { type: 'result' }>;

const OPEN_MS_MAX = 5_000;
const ID_CHARACTERS = 12;

/** A control socket that sends one request after the other. */
export class ControlClient {
  readonly #socket: WebSocket;
  readonly #idPrefix = randomBase62(ID_CHARACTERS);
  #requests = 0;
  #settle: { readonly resolve: (result: Result) => void; readonly reject: (error: Error) => void } | undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer) => this.#received(data));
    const gone = () => this.#settle?.reject(new Error('the control socket was closed'));
    socket.on('close', gone).on('error', gone);
  }

  static async open({ host, port, path, key }: StillsSession): Promise<ControlClient> {
    const headers = { authorization: `Bearer ${key}` };
    const url = `ws://${host}:${port}${path}/control`;
    const socket = new WebSocket(url, CONTROL_SUBPROTOCOL, { headers, perMessageDeflate: false });
    const client = new ControlClient(socket);
    await once(socket, 'open', { signal: AbortSignal.timeout(OPEN_MS_MAX) });
    return client;
  }

  /** Taps; rejects if the answer is a failure. */
  tap(x: number, y: number): Promise<Result> {
    return this.#ask((requestId) => ({ type: 'interaction', requestId, action: 'tap', x, y, acks: 'final' }));
  }

  async screenshot(): Promise<Uint8Array> {
    const { result } = await this.#ask((requestId) => ({ type: 'screenshot', requestId }));
    const image = (result as { readonly image?: unknown } | undefined)?.image;
    if (!(image instanceof Uint8Array)) throw new Error('the result of a screenshot has no picture');
    return image;
  }

  /** Sends a message without waiting for an answer. */
  tell(message: (requestId: string) => ClientMessageInput): void {
    this.#socket.send(encodeClientMessage(message(`${this.#idPrefix}-${this.#requests++}`)));
  }

  close(): void {
    this.#settle = undefined;
    this.#socket.terminate();
  }

  #ask(message: (requestId: string) => ClientMessageInput): Promise<Result> {
    const requestId = `${this.#idPrefix}-${this.#requests++}`;
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#socket.send(encodeClientMessage(message(requestId)));
    });
  }

  #received(data: Buffer): void {
    const read = decodeServerMessage(data);
    if (read.kind === 'screen' || read.message.type !== 'result') return;
    const { message } = read;
    if (message.ok) this.#settle?.resolve(message);
    else this.#settle?.reject(new Error(`the service refused a request: ${JSON.stringify(message.error)}`));
  }
}
