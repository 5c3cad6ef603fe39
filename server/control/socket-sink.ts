import type { ServerMessage } from '@runcloud/protocol';
import type { PacketSink } from '../screen/stream-viewer.ts';
import type { SocketSender } from '../socket/connection.ts';

type Picture = Parameters<PacketSink['started']>[0];

export interface SocketSinkOptions {
  readonly outlet: Pick<SocketSender, 'send' | 'bufferedBytes'>;
  readonly streamId: number;
  readonly send: (message: ServerMessage) => void;
  readonly onEnded: (reason: string) => void;
  readonly onFailed: (error: unknown) => void;
}

/**
 * One screen stream on its way to a socket. A class, since object literals with a getter never have the same shape, and
 * whoever serves many of them looks each property up anew.
 */
export class SocketSink implements PacketSink {
  readonly #outlet: SocketSinkOptions['outlet'];
  readonly #options: SocketSinkOptions;

  constructor(options: SocketSinkOptions) {
    this.#outlet = options.outlet;
    this.#options = options;
  }

  get bufferedBytes(): number {
    return this.#outlet.bufferedBytes;
  }

  started({ encoding, codec, width, height, orientation }: Picture): void {
    const { streamId, send } = this.#options;
    const format = { encoding, ...(codec === undefined ? {} : { codec }), width, height, orientation };
    send({ type: 'screen.started', streamId, ...format });
  }

  packet(bytes: Uint8Array): boolean {
    return this.#outlet.send(bytes) !== 'dropped';
  }

  ended(reason: string): void {
    this.#options.onEnded(reason);
  }

  failed(error: unknown): void {
    this.#options.onFailed(error);
  }
}
