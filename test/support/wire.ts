import { connect, type Socket } from 'node:net';

/** An HTTP/1.1 answer as it came over the wire. */
export interface WireAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/** A bare TCP connection to the server, for bytes that no HTTP or WebSocket library would send. */
export class Wire {
  readonly closed: Promise<void>;
  #unread = Buffer.alloc(0);
  #isClosed = false;
  readonly #socket: Socket;
  readonly #wakeUps = new Set<() => void>();

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      this.#unread = Buffer.concat([this.#unread, chunk]);
      this.#wake();
    });
    this.closed = new Promise((resolve) => {
      socket.on('close', () => {
        this.#isClosed = true;
        resolve();
        this.#wake();
      });
    });
  }

  static open(url: string): Promise<Wire> {
    const { hostname, port } = new URL(url);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      socket.once('error', reject);
      socket.once('connect', () => resolve(new Wire(socket)));
    });
  }

  /** Resolves when the bytes have left this process. */
  write(bytes: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => this.#socket.write(bytes, () => resolve()));
  }

  /** Each piece in a TCP segment of its own. */
  async writeInPieces(bytes: Uint8Array, size: number): Promise<void> {
    for (let start = 0; start < bytes.length; start += size) {
      await this.write(bytes.subarray(start, start + size));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /**
   * Parses the received bytes that have not been taken yet; `parse` returns a value and the number of its bytes. Waits for
   * more bytes while it returns nothing; `undefined` if the connection closes first.
   */
  take<T>(parse: (bytes: Buffer) => { readonly value: T; readonly used: number } | undefined): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void) => {
        clearTimeout(timer);
        this.#wakeUps.delete(attempt);
        settle();
      };
      const timer = setTimeout(() => finish(() => reject(new Error('nothing fitting came within 30 s'))), 30_000);
      const attempt = () => {
        const parsed = parse(this.#unread);
        if (parsed) {
          this.#unread = this.#unread.subarray(parsed.used);
          finish(() => resolve(parsed.value));
        } else if (this.#isClosed) {
          finish(() => resolve(undefined));
        }
      };
      this.#wakeUps.add(attempt);
      attempt();
    });
  }

  /** The next HTTP answer; `undefined` when the connection is closed without one. */
  answer({ bodiless = false } = {}): Promise<WireAnswer | undefined> {
    return this.take((bytes) => parseAnswer(bytes, bodiless));
  }

  /** Stops taking bytes from the kernel: what the server sends piles up on its side. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Resets the connection, or says goodbye first. */
  drop(how: 'reset' | 'finish' = 'reset'): void {
    if (how === 'reset') this.#socket.resetAndDestroy();
    else this.#socket.end();
  }

  #wake(): void {
    for (const attempt of [...this.#wakeUps]) attempt();
  }
}

function parseAnswer(bytes: Buffer, bodiless: boolean): { value: WireAnswer; used: number } | undefined {
  const headEnd = bytes.indexOf(END_OF_HEAD);
  if (headEnd < 0) return undefined;
  const [statusLine = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const start = headEnd + END_OF_HEAD.length;
  // A 304 has no body, also with the length of the one that it stands for (RFC 9110, section 6.4.1).
  const length = bodiless || status === 304 ? 0 : Number(headers.get('content-length') ?? 0);
  if (bytes.length < start + length) return undefined;
  const body = Buffer.from(bytes.subarray(start, start + length));
  return { value: { status, headers, body }, used: start + length };
}

/** The text of a request: its line, its headers one a line, and its body, whose length is filled in. */
export function requestText(line: string, headers: Readonly<Record<string, string>> = {}, body = ''): string {
  const all = {
    Host: 'runcloud.test',
    ...(body === '' ? {} : { 'Content-Length': `${Buffer.byteLength(body)}` }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

/** Sends one request on a connection of its own and gives what comes back, if anything does. */
export async function exchange(url: string, request: string | Uint8Array): Promise<WireAnswer | undefined> {
  const wire = await Wire.open(url);
  void wire.write(request);
  const answer = await wire.answer();
  wire.drop();
  return answer;
}
