import {
  type Acknowledgement,
  CONTROL_SUBPROTOCOL,
  decodeServerMessage,
  encodeClientMessage,
  type ScreenHeader,
  type ServerMessage,
  type SessionRecord,
} from '@runcloud/protocol';
import { WebSocket } from 'ws';

type Message<Type extends ServerMessage['type']> = Extract<ServerMessage, { type: Type }>;

export interface Closed {
  readonly code: number;
  readonly reason: string;
}

/** The address of a session's control socket. */
export function controlAddress(
  url: string,
  { platform, id }: Pick<SessionRecord, 'platform' | 'id'>,
  given: { readonly token?: string; readonly resume?: string | undefined },
): string {
  const { token, resume } = given;
  const query = new URLSearchParams({ ...(token !== undefined && { token }), ...(resume !== undefined && { resume }) });
  return `${url.replace('http', 'ws')}/service/${platform}/${id}/control${query.size === 0 ? '' : `?${query}`}`;
}

export const openControl = (address: string, headers: Readonly<Record<string, string>>): WebSocket =>
  new WebSocket(address, CONTROL_SUBPROTOCOL, { headers });

/** A program on the control socket, on the `ws` library: it keeps everything that it is told, in order. */
export class ControlClient {
  readonly messages: ServerMessage[] = [];
  readonly packets: ScreenHeader[] = [];
  readonly closed: Promise<Closed>;
  readonly #socket: WebSocket;
  #wakeUps = new Set<() => void>();

  protected constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer) => {
      const read = decodeServerMessage(data);
      if (read.kind === 'message') this.messages.push(read.message);
      else if (read.kind === 'screen') this.packets.push(read.header);
      this.#wake();
    });
    this.closed = new Promise((resolve) => {
      socket.on('close', (code, reason) => {
        resolve({ code, reason: reason.toString() });
        this.#wake();
      });
    });
    socket.on('error', () => undefined);
  }

  /**
   * Connects as a program does, with the key in a header, and waits for `ready`.
   *
   * @param resume see `resumeValue`
   */
  static async connect(
    url: string,
    session: SessionRecord,
    authorization: string,
    resume?: string,
  ): Promise<ControlClient> {
    const address = controlAddress(url, session, { resume });
    const client = new ControlClient(openControl(address, { Authorization: authorization }));
    await client.next('ready');
    return client;
  }

  /** Connects with a viewer token, as a page of `origin` does. */
  static async connectWithToken(
    url: string,
    session: SessionRecord,
    origin: string,
    resume?: string,
  ): Promise<ControlClient> {
    const token = new URL(session.url).searchParams.get('token') ?? '';
    const client = new ControlClient(openControl(controlAddress(url, session, { token, resume }), { Origin: origin }));
    await client.next('ready');
    return client;
  }

  /** The first message. */
  get ready(): Message<'ready'> {
    const [first] = this.messages;
    if (first?.type !== 'ready') throw new Error('The first message is not "ready".');
    return first;
  }

  /** What resumes this connection, of which this is the first socket. */
  get resumeValue(): string {
    const { id, epoch } = this.ready.connection ?? {};
    return `${id}.${epoch}.${this.messages.length - 1}`;
  }

  /** The received messages without events, which come at any time and also report the actions of other sockets. */
  get answers(): ServerMessage[] {
    return this.messages.filter(({ type }) => type !== 'event');
  }

  send(message: Record<string, unknown>): void {
    this.#socket.send(encodeClientMessage(message));
  }

  sendBytes(bytes: Uint8Array | string): void {
    this.#socket.send(bytes);
  }

  /** Sends an interaction and waits for its terminal acknowledgement. */
  async interact(request: Record<string, unknown> & { requestId: string }): Promise<Acknowledgement> {
    this.send({ type: 'interaction', ...request });
    return this.result(request.requestId);
  }

  async result(requestId: string): Promise<Message<'result'>> {
    return this.next('result', (message) => message.requestId === requestId);
  }

  /** The first message of a type from the one of this number on, past or to come, that fits. Rejects when the socket closes or after 20 s. */
  next<Type extends ServerMessage['type']>(
    type: Type,
    fits: (message: Message<Type>) => boolean = () => true,
    from = 0,
  ): Promise<Message<Type>> {
    const isIt = (message: ServerMessage, index: number): message is Message<Type> =>
      index >= from && message.type === type && fits(message as Message<Type>);
    const find = () => this.messages.find(isIt);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => finish(() => reject(new Error(`no "${type}" came within 20 s`))), 20_000);
      const finish = (settle: () => void) => {
        clearTimeout(timer);
        this.#wakeUps.delete(check);
        settle();
      };
      const check = () => {
        const found = find();
        if (found) finish(() => resolve(found));
        else if (this.#socket.readyState === WebSocket.CLOSED) finish(() => reject(new Error('the socket is closed')));
      };
      this.#wakeUps.add(check);
      check();
    });
  }

  /** Closes as a polite client does, and waits for the end. */
  async close(): Promise<Closed> {
    this.#socket.close(1000);
    return this.closed;
  }

  /** Closes with a code of its own, and waits for the end. */
  async closeWith(code: number): Promise<Closed> {
    this.#socket.close(code);
    return this.closed;
  }

  /** Drops the connection without a word, as a lost network does. */
  terminate(): void {
    this.#socket.terminate();
  }

  #wake(): void {
    for (const check of [...this.#wakeUps]) check();
  }
}
