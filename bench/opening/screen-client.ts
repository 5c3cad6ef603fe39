import { once } from 'node:events';
import { CONTROL_SUBPROTOCOL, decodeServerMessage, encodeClientMessage, readScreenHeader } from '@runcloud/protocol';
import WebSocket from 'ws';
import { inTime } from '../photon/tap-loop.ts';
import type { StillsSession } from '../stills/job.ts';

/** A control socket that starts and stops watching the screen. */
export class ScreenClient {
  readonly #socket: WebSocket;
  #streamId = 0;
  #onPacket: () => void = () => undefined;
  #onStopped: () => void = () => undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer) => this.#received(data));
    socket.on('error', () => undefined);
  }

  /** Resolves after the server's first message. */
  static async open({ host, port, path, key }: StillsSession): Promise<ScreenClient> {
    const headers = { authorization: `Bearer ${key}` };
    const url = `ws://${host}:${port}${path}/control`;
    const socket = new WebSocket(url, CONTROL_SUBPROTOCOL, { headers, perMessageDeflate: false });
    const client = new ScreenClient(socket);
    await inTime(once(socket, 'message'), 'the greeting of a control socket');
    return client;
  }

  /** Requests the screen in H.264; resolves when the first packet arrives. */
  watch(): Promise<void> {
    const first = new Promise<void>((resolve) => {
      this.#onPacket = resolve;
    });
    this.#send({ type: 'screen.start', encodings: ['h264'] });
    return inTime(first, 'the first picture');
  }

  async stop(): Promise<void> {
    const stopped = new Promise<void>((resolve) => {
      this.#onStopped = resolve;
    });
    this.#send({ type: 'screen.stop', streamId: this.#streamId });
    await inTime(stopped, 'the end of a stream');
  }

  close(): void {
    this.#socket.terminate();
  }

  #send(message: Parameters<typeof encodeClientMessage>[0]): void {
    this.#socket.send(encodeClientMessage(message));
  }

  #received(data: Buffer): void {
    const header = readScreenHeader(data);
    if (header) {
      this.#streamId = header.streamId;
      this.#onPacket();
      this.#send({ type: 'screen.ack', streamId: header.streamId, seq: header.seq });
      return;
    }
    const read = decodeServerMessage(data);
    if (read.kind === 'message' && read.message.type === 'screen.stopped') this.#onStopped();
  }
}
