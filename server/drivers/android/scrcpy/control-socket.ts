import type { AdbSocket } from '@yume-chan/adb';
import { BufferedReadableStream } from '@yume-chan/stream-extra';
import { DeviceFault } from '../../../device/fault.ts';
import { systemClock } from '../../../flow/clock.ts';
import { timeoutUnlessStalled } from '../../../flow/stall-timeout.ts';
import { getClipboardMessage, QUESTIONS, questionMessage } from './control-messages.ts';
import { readClipboards } from './device-messages.ts';

/** A server that lives answers within milliseconds; past this it hangs. */
const ANSWER_MS = 2_000;
/** Input that is ended early waits for its answer for so long, so that the next finds fingers and keys lifted. */
const ENDED_MS_MAX = 1_000;
/** Messages are small: a device that lets this much pile up does not read. */
const UNREAD_BYTES_MAX = 262_144;

/**
 * The socket that scrcpy's server takes inputs on, in one order. It answers none of them; a question behind them tells that
 * they were taken.
 */
export class ControlSocket {
  readonly #socket: AdbSocket;
  readonly #writer: ReturnType<AdbSocket['writable']['getWriter']>;
  readonly #onLost: (reason: string) => void;
  /** The waiting calls by the number of their question, oldest first. */
  readonly #asked = new Map<number, () => void>();
  /** Calls that wait for the clipboard, oldest first. */
  readonly #clipboardAsked = new Set<(text?: string) => void>();
  #questions = 0;
  #unreadBytes = 0;
  #lost: string | undefined;

  /** @param onLost called at most once, and not after `close` */
  constructor(socket: AdbSocket, onLost: (reason: string) => void) {
    this.#socket = socket;
    this.#writer = socket.writable.getWriter();
    this.#onLost = onLost;
    void this.#watch();
  }

  /** Throws an `unreachable` fault when the connection is closed. */
  send(message: Uint8Array): void {
    if (this.#lost !== undefined) throw this.#fault();
    if (this.#unreadBytes + message.length > UNREAD_BYTES_MAX) {
      this.#lose('it does not read its inputs');
      throw this.#fault();
    }
    this.#unreadBytes += message.length;
    this.#writer.write(message).then(
      () => {
        this.#unreadBytes -= message.length;
      },
      () => this.#lose('its input socket is closed'),
    );
  }

  /**
   * Settles once the server has taken everything that was sent. Rejects with an `unreachable` fault when it is lost, with an
   * `unavailable` one when it does not answer.
   * @param signal when it fires, a server that does not answer is waited for no longer than a moment
   */
  taken(signal?: AbortSignal): Promise<void> {
    const number = this.#questions++ % QUESTIONS;
    return new Promise<void>((resolve, reject) => {
      let stallTimer: () => void = () => undefined;
      const end = (fault?: DeviceFault) => {
        stallTimer();
        signal?.removeEventListener('abort', onAbort);
        this.#asked.delete(number);
        if (fault) reject(fault);
        else if (this.#lost !== undefined) reject(this.#fault());
        else resolve();
      };
      const wait = (ms: number, kind: 'aborted' | 'unavailable') => {
        stallTimer();
        stallTimer = timeoutUnlessStalled(ms, systemClock, () => end(new DeviceFault(kind, SILENT)));
      };
      const onAbort = () => wait(ENDED_MS_MAX, 'aborted');
      this.#asked.set(number, () => end());
      if (signal?.aborted) onAbort();
      else wait(ANSWER_MS, 'unavailable');
      signal?.addEventListener('abort', onAbort, { once: true });
      try {
        this.send(questionMessage(number));
      } catch {
        end();
      }
    });
  }

  /**
   * The text in the device's clipboard. Rejects with a `failed` fault when the device does not tell: it lets nobody read it, or it
   * holds no text.
   */
  clipboard(signal?: AbortSignal): Promise<string> {
    return new Promise((resolve, reject) => {
      const end = (fault: DeviceFault, text?: string) => {
        stallTimer();
        signal?.removeEventListener('abort', onAbort);
        this.#clipboardAsked.delete(answer);
        if (text === undefined) reject(fault);
        else resolve(text);
      };
      const answer = (text?: string) => end(this.#fault(), text);
      const onAbort = () => end(new DeviceFault('aborted', 'Reading the clipboard was ended.'));
      const stallTimer = timeoutUnlessStalled(ANSWER_MS, systemClock, () =>
        end(new DeviceFault('failed', 'The device does not tell what its clipboard holds.')),
      );
      this.#clipboardAsked.add(answer);
      signal?.addEventListener('abort', onAbort, { once: true });
      if (signal?.aborted) return onAbort();
      try {
        this.send(getClipboardMessage());
      } catch {
        answer();
      }
    });
  }

  /** The server has answered a question, and so those before. */
  answered(number: number): void {
    if (!this.#asked.has(number)) return;
    for (const [asked, settle] of [...this.#asked]) {
      settle();
      if (asked === number) return;
    }
  }

  close(): void {
    this.#lose('it was closed', true);
    void Promise.resolve(this.#socket.close()).catch(() => undefined);
  }

  /** Reads what the server says, until the connection ends. */
  async #watch(): Promise<void> {
    const messages = new BufferedReadableStream(this.#socket.readable);
    let reason = 'its input socket is closed';
    try {
      for await (const text of readClipboards(messages)) this.#hold(text);
    } catch (error) {
      // Otherwise it broke off.
      if (error instanceof RangeError) reason = `it says what is no message: ${error.message}`;
    }
    this.#lose(reason);
  }

  /** The server answers in order. */
  #hold(text: string): void {
    const [oldest] = this.#clipboardAsked;
    oldest?.(text);
  }

  #lose(reason: string, quiet = false): void {
    if (this.#lost !== undefined) return;
    this.#lost = reason;
    for (const settle of [...this.#asked.values(), ...this.#clipboardAsked]) settle();
    if (!quiet) this.#onLost(reason);
  }

  #fault(): DeviceFault {
    return new DeviceFault('unreachable', `scrcpy's server on the device is lost: ${this.#lost}.`);
  }
}

const SILENT = "scrcpy's server on the device does not say that it has taken the input.";
