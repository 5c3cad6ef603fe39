import type { Acknowledgement, ServerMessage } from '@runcloud/protocol';
import type { SendOutcome, SocketSender } from '../socket/connection.ts';
import { ServerMessageEncoder } from '../wire/server-message-encoder.ts';

export interface MessageWriterOptions {
  /** Called after each write that did not send all messages at once. */
  readonly onStuck: (outcome: Exclude<SendOutcome, 'sent'>) => void;
  /** Called when a message cannot be encoded; the message is dropped. */
  readonly onFailed: (error: unknown) => void;
  /** Throws if a message does not match its schema; absent if messages are not checked. */
  readonly check?: ((message: ServerMessage | Acknowledgement) => void) | undefined;
}

/** Shared by all sockets: each message is copied out before the next one is encoded. */
const encoder = new ServerMessageEncoder(Buffer.allocUnsafeSlow(1_024));

/**
 * Sends the messages of one socket. All messages of one turn of the event loop leave in one write, since a write costs several
 * times as much as encoding a message. The write happens at the end of the turn; no timer delays a single message.
 */
export class MessageWriter implements Pick<SocketSender, 'send' | 'bufferedBytes'> {
  readonly #outlet: SocketSender;
  readonly #options: MessageWriterOptions;
  /** An acknowledgement has no `type`; it is sent as a `result` message. */
  #waiting: (ServerMessage | Acknowledgement)[] = [];
  #leaving: readonly (ServerMessage | Acknowledgement)[] = [];
  #outcome: SendOutcome = 'sent';

  constructor(outlet: SocketSender, options: MessageWriterOptions) {
    this.#outlet = outlet;
    this.#options = options;
  }

  get bufferedBytes(): number {
    return this.#outlet.bufferedBytes;
  }

  /** Queues a message. The caller must not change it afterwards. */
  message(message: ServerMessage | Acknowledgement): void {
    if (this.#waiting.length === 0) process.nextTick(this.#later);
    this.#waiting.push(message);
  }

  /** Sends a screen packet now, after the queued messages. */
  send(packet: Uint8Array): SendOutcome {
    if (this.#waiting.length > 0) this.flush();
    return this.#outlet.send(packet);
  }

  /** Calls for devices are sent before: the device works while the socket is written to. */
  readonly #later = (): void => process.nextTick(this.flush);

  /** Sends the queued messages. */
  readonly flush = (): void => {
    if (this.#waiting.length === 0) return;
    this.#leaving = this.#waiting;
    this.#waiting = [];
    this.#outcome = 'sent';
    if (this.#leaving.length === 1) this.#write();
    else this.#outlet.together(this.#write);
    if (this.#outcome !== 'sent') this.#options.onStuck(this.#outcome);
  };

  readonly #write = (): void => {
    for (const message of this.#leaving) {
      try {
        this.#options.check?.(message);
        const outcome = this.#outlet.send('type' in message ? encoder.encode(message) : encoder.encodeResult(message));
        if (outcome !== 'sent' && this.#outcome !== 'dropped') this.#outcome = outcome;
      } catch (error) {
        this.#options.onFailed(error);
      }
    }
  };
}
