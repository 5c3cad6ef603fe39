import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { readHttpAnswer } from '../load/http-answer.ts';

const CONNECT_MS_MAX = 5_000;

/** Fetches one picture after the other on one persistent connection, with as little work as possible. */
export class HttpStills {
  readonly #socket: Socket;
  readonly #request: string;
  #received: Buffer[] = [];
  #receivedBytes = 0;
  /** Bytes of the whole answer, known once its head has arrived. */
  #wanted = Number.POSITIVE_INFINITY;
  #settle: { readonly resolve: (body: Uint8Array) => void; readonly reject: (error: Error) => void } | undefined;

  private constructor(socket: Socket, request: string) {
    this.#socket = socket;
    this.#request = request;
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', (error) => this.#settle?.reject(error));
    socket.on('close', () => this.#settle?.reject(new Error('the connection closed')));
  }

  static async open(
    { host, port, path }: { readonly host: string; readonly port: number; readonly path: string },
    headers: Readonly<Record<string, string>> = {},
  ): Promise<HttpStills> {
    const socket = connect({ host, port, noDelay: true });
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_MS_MAX) });
    const lines = Object.entries({ Host: `${host}:${port}`, ...headers }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    return new HttpStills(socket, `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  }

  fetch(): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#socket.write(this.#request);
    });
  }

  close(): void {
    this.#settle = undefined;
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    this.#received.push(chunk);
    this.#receivedBytes += chunk.length;
    if (this.#wanted === Number.POSITIVE_INFINITY) this.#wanted = wholeLength(Buffer.concat(this.#received));
    if (this.#receivedBytes < this.#wanted) return;
    const bytes = Buffer.concat(this.#received);
    this.#received = [];
    this.#receivedBytes = 0;
    this.#wanted = Number.POSITIVE_INFINITY;
    const answer = readHttpAnswer(bytes);
    if (answer?.status === 200) this.#settle?.resolve(bytes.subarray(bytes.indexOf('\r\n\r\n') + 4));
    else this.#settle?.reject(new Error(`the server refused a request: ${bytes.subarray(0, 500)}`));
  }
}

/** Bytes of the answer that begins here; infinite while its head is incomplete. */
function wholeLength(start: Buffer): number {
  const headEnd = start.indexOf('\r\n\r\n');
  if (headEnd < 0) return Number.POSITIVE_INFINITY;
  const length = /\r\ncontent-length: *(\d+)/i.exec(start.toString('latin1', 0, headEnd))?.[1];
  return headEnd + 4 + Number(length ?? 0);
}
