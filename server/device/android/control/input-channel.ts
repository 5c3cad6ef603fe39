import { DeviceFault } from '../../fault.ts';
import type { ControlClient, InputCall } from './control-client.ts';
import { isUnimplemented, toFault } from './control-client.ts';
import type { InputEvent, KeyboardEvent, Touch } from './messages.ts';

/**
 * The way of all input to an emulator, in one order. One call is kept open and takes every event without waiting for an
 * answer; emulators that are too old for it get one call after the other. An open call that the emulator ends is opened
 * again with the next event, and what was on its way is told as a fault of the next one.
 */
export class InputChannel {
  readonly #client: ControlClient;
  #call: InputCall | undefined;
  #unary = false;
  #fault: DeviceFault | undefined;
  /** The newest event on its way. Unary calls may overtake each other, so each waits for the one before. */
  #last: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(client: ControlClient) {
    this.#client = client;
  }

  /** Whether events go one by one because the emulator has no open call for them. */
  get unary(): boolean {
    return this.#unary;
  }

  /** One report of all fingers that it names. Settles when it is on its way, in unary mode when it arrived. */
  touch(touches: readonly Touch[]): Promise<void> {
    return this.#send({ touch_event: { touches } });
  }

  key(event: KeyboardEvent): Promise<void> {
    return this.#send({ key_event: event });
  }

  /**
   * Finds out which way there is: an open call that the emulator does not know ends at once. Settles when the emulator
   * has answered something that was asked after the call was opened. Rejects with a `DeviceFault`.
   */
  async prepare(): Promise<void> {
    this.#open();
    await this.#client.status();
    // The end of the call may come a moment later than the answer that was asked for after it.
    await new Promise((resolve) => setTimeout(resolve, 20));
    this.throwFault();
  }

  close(): void {
    this.#closed = true;
    this.#call?.end();
    this.#call?.cancel();
    this.#call = undefined;
  }

  #send(event: InputEvent): Promise<void> {
    if (this.#unary) return this.#sendAlone(event);
    try {
      this.throwFault();
      const call = this.#open();
      // Settles when it was handed to the connection, or when that is gone, which the end of the call tells.
      this.#last = new Promise((resolve) => void call.write(event, () => resolve()));
    } catch (error) {
      return Promise.reject(error);
    }
    return Promise.resolve();
  }

  /** Settles when every event has left. */
  flushed(): Promise<void> {
    return this.#last;
  }

  #sendAlone({ touch_event, key_event }: InputEvent): Promise<void> {
    const send = async () => {
      if (touch_event) await this.#client.touch(touch_event.touches);
      if (key_event) await this.#client.key(key_event);
    };
    const sent = this.#last.then(send, send);
    this.#last = sent.catch(() => undefined);
    return sent;
  }

  #open(): InputCall {
    if (this.#closed) throw new DeviceFault('unreachable', 'The input of the device is closed.');
    if (this.#call) return this.#call;
    const call = this.#client.streamInput((error) => {
      if (this.#call !== call) return;
      this.#call = undefined;
      if (this.#closed) return;
      if (error && isUnimplemented(error)) this.#unary = true;
      else this.#fault = error ? toFault(error) : new DeviceFault('unavailable', 'The emulator takes no more input.');
    });
    this.#call = call;
    return call;
  }

  /** Throws what went wrong with events that had left already; once. */
  throwFault(): void {
    const fault = this.#fault;
    this.#fault = undefined;
    if (fault) throw fault;
  }
}
