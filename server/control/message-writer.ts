import type { Acknowledgement, ServerMessage } from '@runcloud/protocol';
import type { SendOutcome, SocketSender } from '../socket/connection.ts';
import { ServerMessageEncoder } from '../wire/server-message-encoder.ts';

export interface MessageWriterOptions {
  /** Told of messages that did not leave at once, after each attempt. */
  readonly onStuck: (outcome: Exclude<SendOutcome, 'sent'>) => void;
  /** A message could not be put into bytes; it is lost. */
  readonly onFailed: (error: unknown) => void;
  /** Throws for a message that is another than declared; absent where messages are not checked. */
  readonly check?: ((message: ServerMessage | Acknowledgement) => void) | undefined;
}

/** One for all sockets: a message has left before the next one is encoded. */
const encoder = new ServerMessageEncoder(Buffer.allocUnsafeSlow(1_024));

/**
 * What one socket is sent. Messages of one turn of the event loop leave together, in one write: writing costs several
 * times what making them does. A turn ends when nothing is left to do at once; no timer holds a lone message back.
 */
export class MessageWriter implements Pick<SocketSender, 'send' | 'bufferedBytes'> {
  readonly #outlet: SocketSender;
  readonly #options: MessageWriterOptions;
  /** Acknowledgements have no `type` of their own: their message is `result`. */
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

  /** Takes a message, which is not changed any more. */
  message(message: ServerMessage | Acknowledgement): void {
    if (this.#waiting.length === 0) process.nextTick(this.#later);
    this.#waiting.push(message);
  }

  /** Sends a screen packet now, after the messages that were taken before it. */
  send(packet: Uint8Array): SendOutcome {
    if (this.#waiting.length > 0) this.flush();
    return this.#outlet.send(packet);
  }

  /** What this turn has for a device leaves before: the device is at work while the socket is written to. */
  readonly #later = (): void => process.nextTick(this.flush);

  /** Sends what was taken and has not left yet. */
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
