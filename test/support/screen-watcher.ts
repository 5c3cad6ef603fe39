import { decodeServerMessage, encodeClientMessage, readScreenHeader, type ScreenHeader } from '@runcloud/protocol';
import { WebSocket } from 'ws';

/** A packet as it came. */
export interface Packet {
  readonly header: ScreenHeader;
  readonly payload: Uint8Array;
}

type Fields = Readonly<Record<string, unknown>>;

/** A viewer of the live screen, on the `ws` library: it keeps what it is sent and acknowledges each packet. */
export class ScreenWatcher {
  readonly packets: Packet[] = [];
  readonly messages: Fields[] = [];
  /** Packets and messages in the order in which they came: a packet's `seq`, or a message's type. */
  readonly order: (number | string)[] = [];
  acknowledges = true;
  closeCode: number | undefined;
  readonly #socket: WebSocket;
  readonly #wakeUps = new Set<() => void>();

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer) => {
      const header = readScreenHeader(data);
      if (header) this.#packet({ header, payload: data.subarray(32) });
      else {
        const read = decodeServerMessage(data);
        if (read.kind === 'message') {
          this.messages.push(read.message);
          this.order.push(read.message.type);
        }
      }
      this.#wake();
    });
    socket.on('close', (code) => {
      this.closeCode = code;
      this.#wake();
    });
    socket.on('error', () => undefined);
  }

  /** @param credential a header value, or the query of a signed address */
  static async connect(
    url: string,
    session: { readonly platform: string; readonly id: string; readonly url: string },
    credential: { readonly authorization: string } | { readonly origin: string },
  ): Promise<ScreenWatcher> {
    const path = `${url.replace('http', 'ws')}/service/${session.platform}/${session.id}/control`;
    const socket =
      'authorization' in credential
        ? new WebSocket(path, 'runcloud.v1', { headers: { Authorization: credential.authorization } })
        : new WebSocket(`${path}?token=${new URL(session.url).searchParams.get('token')}`, 'runcloud.v1', {
            headers: { Origin: credential.origin },
          });
    const watcher = new ScreenWatcher(socket);
    await watcher.until('ready', () => watcher.message('ready') !== undefined);
    return watcher;
  }

  send(message: Fields): void {
    this.#socket.send(encodeClientMessage(message));
  }

  /** The newest message of a type. */
  message(type: string, fits: (message: Fields) => boolean = () => true): Fields | undefined {
    return this.messages.findLast((message) => message.type === type && fits(message));
  }

  /** Waits until something holds; rejects after 20 s, and when the socket closes first. */
  until(what: string, holds: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void) => {
        clearTimeout(timer);
        this.#wakeUps.delete(check);
        settle();
      };
      const timer = setTimeout(() => finish(() => reject(new Error(`it never came that ${what}`))), 20_000);
      const check = () => {
        if (holds()) finish(resolve);
        else if (this.closeCode !== undefined) finish(() => reject(new Error(`closed with ${this.closeCode}`)));
      };
      this.#wakeUps.add(check);
      check();
    });
  }

  /** Sends an interaction and waits for its result. */
  async interact(requestId: string, fields: Fields): Promise<Fields> {
    this.send({ type: 'interaction', requestId, ...fields });
    await this.until(`${requestId} was answered`, () => this.result(requestId) !== undefined);
    return this.result(requestId) ?? {};
  }

  result(requestId: string): Fields | undefined {
    return this.message('result', (message) => message.requestId === requestId);
  }

  /** Takes nothing from the kernel any more, as a client that hangs. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  close(): void {
    this.#socket.terminate();
  }

  #packet(packet: Packet): void {
    const { streamId, seq } = packet.header;
    this.packets.push(packet);
    this.order.push(seq);
    if (this.acknowledges) this.send({ type: 'screen.ack', streamId, seq });
  }

  #wake(): void {
    for (const check of [...this.#wakeUps]) check();
  }
}
