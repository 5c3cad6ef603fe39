import { WebSocket } from 'ws';
import { DeviceFault } from '../../../device/fault.ts';
import { systemClock } from '../../../flow/clock.ts';
import { timeoutUnlessStalled } from '../../../flow/stall-timeout.ts';
import { plainLine } from '../../process/plain-line.ts';
import type { Door } from './door.ts';

/** A helper on the same machine answers within milliseconds; past this it hangs. */
const ANSWER_MS = 2_000;
/** The helper's messages are small; larger ones are not read. */
const MESSAGE_BYTES_MAX = 65_536;
/** Inputs are small too: a helper that lets this much pile up does not read. */
const UNREAD_BYTES_MAX = 1_048_576;

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (fault: DeviceFault) => void;
}

/** The socket that serve-sim takes inputs on. It answers none of them; a ping behind them tells that they were read. */
export class InputSocket {
  readonly #socket: WebSocket;
  readonly #pings = new Map<string, Waiter>();
  #sent = 0;
  #lost: string | undefined;
  #listener: (reason: string) => void = () => undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('pong', (data: Buffer) => {
      const id = data.toString('latin1');
      this.#pings.get(id)?.resolve();
      this.#pings.delete(id);
    });
    socket.on('error', (error) => this.#lose(`its input socket failed: ${plainLine(error.message)}`));
    socket.on('close', () => this.#lose('it closed its input socket'));
  }

  /** Rejects with an `unreachable` fault. */
  static open({ port, headers }: Pick<Door, 'port' | 'headers'>): Promise<InputSocket> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, {
      headers,
      handshakeTimeout: ANSWER_MS,
      maxPayload: MESSAGE_BYTES_MAX,
      perMessageDeflate: false,
      skipUTF8Validation: true,
    });
    return new Promise((resolve, reject) => {
      socket.once('open', () => {
        socket.removeAllListeners();
        resolve(new InputSocket(socket));
      });
      socket.once('error', (error) => {
        reject(new DeviceFault('unreachable', `the helper takes no inputs: ${plainLine(error.message)}.`));
      });
    });
  }

  /** Throws an `unreachable` fault when the connection is closed. */
  send(message: Uint8Array): void {
    if (this.#lost !== undefined) throw this.#fault(this.#lost);
    if (this.#socket.bufferedAmount > UNREAD_BYTES_MAX) {
      this.#lose('it does not read its inputs');
      this.#socket.terminate();
      throw this.#fault('it does not read its inputs');
    }
    this.#socket.send(message);
  }

  /** Settles once everything that was sent has been read; rejects with an `unreachable` fault when that takes too long. */
  async taken(signal?: AbortSignal): Promise<void> {
    if (this.#lost !== undefined) throw this.#fault(this.#lost);
    if (signal?.aborted) throw new DeviceFault('aborted', 'The wait for the helper was ended.');
    const id = String(++this.#sent);
    await new Promise<void>((resolve, reject) => {
      const end = (settle: () => void) => {
        cancelTimer();
        signal?.removeEventListener('abort', onAbort);
        this.#pings.delete(id);
        settle();
      };
      const onAbort = () => end(() => reject(new DeviceFault('aborted', 'The wait for the helper was ended.')));
      const late = () => end(() => reject(this.#fault('it does not answer')));
      const cancelTimer = timeoutUnlessStalled(ANSWER_MS, systemClock, late);
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#pings.set(id, { resolve: () => end(resolve), reject: (fault) => end(() => reject(fault)) });
      this.#socket.ping(id);
    });
  }

  /** Told once, also when it is already lost. */
  onLost(listener: (reason: string) => void): void {
    this.#listener = listener;
    if (this.#lost !== undefined) listener(this.#lost);
  }

  close(): void {
    this.#listener = () => undefined;
    this.#lose('it was closed');
    this.#socket.terminate();
  }

  #lose(reason: string): void {
    if (this.#lost !== undefined) return;
    this.#lost = reason;
    for (const { reject } of [...this.#pings.values()]) reject(this.#fault(reason));
    this.#listener(reason);
  }

  #fault(reason: string): DeviceFault {
    return new DeviceFault('unreachable', `The helper serve-sim is lost: ${reason}.`);
  }
}
