import type { ServerMessage } from '@runcloud/protocol';
import type { PacketSink } from '../screen/stream-viewer.ts';
import type { SocketSender } from '../socket/connection.ts';

type Picture = Parameters<PacketSink['started']>[0];

/** The connection of a screen stream. */
export interface SinkOwner {
  send(message: ServerMessage): void;
  /** Called when a stream fails: the connection must be ended. */
  failed(error: unknown): void;
}

export interface SocketSinkOptions {
  readonly owner: SinkOwner;
  readonly outlet: Pick<SocketSender, 'send' | 'bufferedBytes'>;
  readonly streamId: number;
  readonly onEnded: (reason: string) => void;
}

/**
 * Sends one screen stream to a socket. A class, because object literals with a getter each have their own hidden class, which
 * makes property access slow when there are many.
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

  started({ encoding, codec, width, height, orientation, display }: Picture): void {
    const { streamId, owner } = this.#options;
    const format = { encoding, ...(codec === undefined ? {} : { codec }), width, height, orientation };
    owner.send({ type: 'screen.started', streamId, ...format, ...(display === undefined ? {} : { display }) });
  }

  packet(bytes: Uint8Array): boolean {
    return this.#outlet.send(bytes) !== 'dropped';
  }

  ended(reason: string): void {
    this.#options.onEnded(reason);
  }

  failed(error: unknown): void {
    this.#options.owner.failed(error);
  }
}
