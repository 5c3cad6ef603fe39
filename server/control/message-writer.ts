import type { Acknowledgement, ServerMessage } from '@runcloud/protocol';
import type { SendOutcome, SocketSender } from '../socket/connection.ts';
import { ServerMessageEncoder } from '../wire/server-message-encoder.ts';
import type { MessageRing } from './message-ring.ts';

/** The connection of a writer. */
export interface WriterOwner {
  /** Called after each write that did not send all messages at once. */
  stuck(outcome: Exclude<SendOutcome, 'sent'>): void;
  /** Called when a message cannot be encoded; the message is dropped. */
  failed(error: unknown): void;
}

/** Throws if a message does not match its schema. */
export type MessageCheck = (message: ServerMessage | Acknowledgement) => void;

/**
 * Shared by all sockets: each message is copied out before the next one is encoded. Results have one of their own, since a result is
 * written over the one before.
 */
const encoder = new ServerMessageEncoder(Buffer.allocUnsafeSlow(1_024));
const resultEncoder = new ServerMessageEncoder(Buffer.allocUnsafeSlow(1_024));

/**
 * Sends the messages of one connection. All messages of one turn of the event loop leave in one write, since a write costs several
 * times as much as encoding a message. The write happens at the end of the turn; no timer delays a single message.
 */
export class MessageWriter implements Pick<SocketSender, 'send' | 'bufferedBytes'> {
  #outlet: SocketSender = NOWHERE;
  readonly #ring: Pick<MessageRing, 'push'>;
  readonly #owner: WriterOwner;
  readonly #check: MessageCheck | undefined;
  /** An acknowledgement has no `type`; it is sent as a `result` message. */
  #waiting: (ServerMessage | Acknowledgement)[] = [];
  #leaving: readonly (ServerMessage | Acknowledgement)[] = NONE;
  #outcome: SendOutcome = 'sent';

  /**
   * @param ring numbers and keeps what is sent
   * @param check absent if messages are not checked
   */
  constructor(ring: Pick<MessageRing, 'push'>, owner: WriterOwner, check?: MessageCheck) {
    this.#ring = ring;
    this.#owner = owner;
    this.#check = check;
  }

  /**
   * Sends to this socket from now on: first `ready`, which is not numbered, then what the client has missed.
   *
   * @param missed numbered messages, valid until the next message is sent
   */
  connect(outlet: SocketSender, ready: ServerMessage, missed: Iterable<Uint8Array> = []): void {
    this.flush();
    this.#outlet = outlet;
    this.#outcome = 'sent';
    outlet.together(() => {
      try {
        this.#check?.(ready);
        this.#sent(outlet.send(encoder.encode(ready)));
        for (const bytes of missed) this.#sent(outlet.send(bytes));
      } catch (error) {
        this.#owner.failed(error);
      }
    });
    if (this.#outcome !== 'sent') this.#owner.stuck(this.#outcome);
  }

  /** The socket is gone: messages are numbered and kept only. */
  disconnect(): void {
    this.#outlet = NOWHERE;
  }

  get bufferedBytes(): number {
    return this.#outlet.bufferedBytes;
  }

  /** Queues a message. The caller must not change it afterwards. */
  message(message: ServerMessage | Acknowledgement): void {
    if (this.#waiting.length === 0) process.nextTick(flushLater, this);
    this.#waiting.push(message);
  }

  /** Sends a screen packet now, after the queued messages. */
  send(packet: Uint8Array): SendOutcome {
    if (this.#waiting.length > 0) this.flush();
    return this.#outlet.send(packet);
  }

  /** Sends the queued messages. */
  flush(): void {
    if (this.#waiting.length === 0) return;
    this.#leaving = this.#waiting;
    this.#waiting = [];
    this.#outcome = 'sent';
    if (this.#leaving.length === 1) this.#write();
    else this.#outlet.together(() => this.#write());
    this.#leaving = NONE;
    if (this.#outcome !== 'sent') this.#owner.stuck(this.#outcome);
  }

  #write(): void {
    for (const message of this.#leaving) {
      try {
        this.#check?.(message);
        const bytes = 'type' in message ? encoder.encode(message) : resultEncoder.encodeResult(message);
        this.#ring.push(bytes);
        this.#sent(this.#outlet.send(bytes));
      } catch (error) {
        this.#owner.failed(error);
      }
    }
  }

  #sent(outcome: SendOutcome): void {
    if (outcome !== 'sent' && this.#outcome !== 'dropped') this.#outcome = outcome;
  }
}

const flush = (writer: MessageWriter): void => writer.flush();
/** Calls for devices are sent before: the device works while the socket is written to. */
const flushLater = (writer: MessageWriter): void => process.nextTick(flush, writer);

const NONE: readonly never[] = [];

/** Takes the place of a socket. */
const NOWHERE: SocketSender = {
  bufferedBytes: 0,
  send: () => 'sent',
  together: (write) => write(),
  close: () => undefined,
};
