import { createHash } from 'node:crypto';
import {
  CONTROL_SUBPROTOCOL,
  decodeServerMessage,
  encodeClientMessage,
  readScreenHeader,
  type ServerMessage,
  type SessionRecord,
} from '@runcloud/protocol';
import { WebSocket } from 'ws';

type Message<Type extends ServerMessage['type']> = Extract<ServerMessage, { type: Type }>;

const SCREEN_HEADER_BYTES = 32;
const COME_MS_MAX = 30_000;

/** A control socket that keeps every frame that it is sent, as it came, and acknowledges pictures. */
export class TenantSocket {
  readonly messages: ServerMessage[] = [];
  /** Digests of the pictures. */
  readonly pictures: string[] = [];
  readonly #frames: Buffer[] = [];
  readonly #socket: WebSocket;
  readonly #wakeUps = new Set<() => void>();

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer) => {
      this.#frames.push(data);
      const header = readScreenHeader(data);
      if (header) {
        this.pictures.push(createHash('sha256').update(data.subarray(SCREEN_HEADER_BYTES)).digest('hex'));
        this.send({ type: 'screen.ack', streamId: header.streamId, seq: header.seq });
      } else {
        const read = decodeServerMessage(data);
        if (read.kind === 'message') this.messages.push(read.message);
      }
      for (const wake of [...this.#wakeUps]) wake();
    });
    socket.on('error', () => undefined);
  }

  /** @param credential a key, or a token of the session */
  static async open(
    url: string,
    { platform, id }: SessionRecord,
    credential: { readonly key: string } | { readonly token: string },
    resume?: string,
  ): Promise<TenantSocket> {
    const query = new URLSearchParams({
      ...('token' in credential && { token: credential.token }),
      ...(resume !== undefined && { resume }),
    });
    const headers = 'key' in credential ? { Authorization: `Bearer ${credential.key}` } : { Origin: url };
    const address = `${url.replace('http', 'ws')}/service/${platform}/${id}/control?${query}`;
    const opened = new TenantSocket(new WebSocket(address, CONTROL_SUBPROTOCOL, { headers }));
    await opened.next('ready');
    return opened;
  }

  get ready(): Message<'ready'> {
    const [first] = this.messages;
    if (first?.type !== 'ready') throw new Error('The first message is not "ready".');
    return first;
  }

  /** What resumes this connection. */
  get resumeValue(): string {
    const { id, epoch } = this.ready.connection ?? {};
    return `${id}.${epoch}.${this.messages.length}`;
  }

  /** All that it was sent. */
  get bytes(): Buffer {
    return Buffer.concat(this.#frames);
  }

  send(message: Readonly<Record<string, unknown>>): void {
    this.#socket.send(encodeClientMessage(message));
  }

  result(requestId: string): Promise<Message<'result'>> {
    return this.next('result', (message) => message.requestId === requestId);
  }

  /** The first message of a type from the one of this number on, past or to come, that fits. Rejects when none comes. */
  async next<Type extends ServerMessage['type']>(
    type: Type,
    fits: (message: Message<Type>) => boolean = () => true,
    from = 0,
  ): Promise<Message<Type>> {
    const isIt = (message: ServerMessage): message is Message<Type> =>
      message.type === type && fits(message as Message<Type>);
    const endMs = Date.now() + COME_MS_MAX;
    for (;;) {
      const found = this.messages.slice(from).find(isIt);
      if (found) return found as Message<Type>;
      if (this.#socket.readyState === WebSocket.CLOSED) throw new Error(`the socket is closed before "${type}"`);
      if (Date.now() > endMs) throw new Error(`no "${type}" came`);
      await this.#changed();
    }
  }

  /** Waits until everything that was sent before is answered, as far as it is answered in turn. */
  async settled(): Promise<void> {
    const from = this.messages.length;
    const id = from + 1_000;
    this.send({ type: 'ping', id });
    await this.next('pong', (pong) => pong.id === id, from);
  }

  close(): void {
    this.#socket.terminate();
  }

  /** Resolves with the next frame, and after a while without. */
  #changed(): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#wakeUps.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, 100);
      this.#wakeUps.add(wake);
    });
  }
}
