import type { ServiceError } from '@grpc/grpc-js';
import type { GuestShell } from '../adb/guest-shell.ts';
import { PASTE_KEYCODE } from '../guest/key-codes.ts';
import type { GuestClipboard } from '../input-backend.ts';
import { type ClipboardCall, type ControlClient, isUnimplemented } from './control-client.ts';

/** A stream that breaks off is opened again after this. */
const REOPEN_MS = 1_000;

/** The clipboard that an emulator shares with its guest. */
export class EmulatorClipboard implements GuestClipboard {
  readonly #client: Pick<ControlClient, 'setClipboard' | 'clipboard' | 'streamClipboard'>;
  readonly #shell: GuestShell;
  #listener: () => void = () => undefined;
  #call: ClipboardCall | undefined;
  #reopening: NodeJS.Timeout | undefined;
  /** The text that was heard of or written last. */
  #held: string | undefined;
  #closed = false;

  constructor(client: Pick<ControlClient, 'setClipboard' | 'clipboard' | 'streamClipboard'>, shell: GuestShell) {
    this.#client = client;
    this.#shell = shell;
  }

  read(): Promise<string> {
    return this.#client.clipboard();
  }

  async write(text: string): Promise<void> {
    await this.#client.setClipboard(text);
    // The emulator tells everybody of it but the connection that it came from.
    this.#holds(text);
  }

  async paste(signal: AbortSignal): Promise<void> {
    // The emulator's own keyboard has no such key.
    await this.#shell.must(['input', 'keyevent', String(PASTE_KEYCODE)], { signal });
  }

  onChange(listener: () => void): void {
    this.#listener = listener;
    if (!this.#call) this.#follow();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#reopening);
    this.#call?.cancel();
  }

  /** The first text of a stream is the present one. */
  #follow(): void {
    const call = this.#client.streamClipboard();
    this.#call = call;
    call.on('data', ({ text }) => this.#holds(text));
    call.on('error', (error) => {
      if (this.#closed || isUnimplemented(error as ServiceError)) return;
      this.#reopening = setTimeout(() => this.#follow(), REOPEN_MS);
    });
  }

  #holds(text: string): void {
    const before = this.#held;
    this.#held = text;
    if (before !== undefined && before !== text) this.#listener();
  }
}
