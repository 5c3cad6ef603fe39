import { DeviceFault } from '../../../device/fault.ts';
import { CALL_MS_MAX, type ControlClient, type InputCall, isUnimplemented, toFault } from './control-client.ts';
import { type InputEvent, KEY_UP, type KeyboardEvent, type Touch } from './messages.ts';

/** Input that is ended early waits for its answer for so long, so that the next finds fingers and keys lifted. */
const ENDED_MS_MAX = 1_000;

interface OpenCall {
  readonly call: InputCall;
  /** True when an event was sent on it. */
  used: boolean;
  /** True when its answer was asked for. */
  asked: boolean;
  /** Why the emulator did not take everything; `undefined` when it did. */
  readonly ended: Promise<DeviceFault | undefined>;
  readonly end: (fault: DeviceFault | undefined) => void;
}

/**
 * The way of all input to an emulator, in one order. An open call takes events without an answer to each; it is closed
 * where an answer is needed, which the emulator gives when it has read everything before. Emulators that are too old for it
 * get one call after the other, each with its answer. After an event that was lost only those go on that lift something,
 * until the loss was told.
 */
export class InputChannel {
  readonly #client: ControlClient;
  #open: OpenCall | undefined;
  #unary = false;
  /** Why the first event that was lost since the last answer was lost. */
  #fault: DeviceFault | undefined;
  /** Calls may overtake each other on their way, so that each event waits for the answers that were asked for before. */
  #turn: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(client: ControlClient) {
    this.#client = client;
  }

  /** True when an event was lost and not yet reported. */
  get troubled(): boolean {
    return this.#fault !== undefined;
  }

  /** One report of all fingers that it names. Settles when it is on its way, without telling whether it arrived. */
  touch(touches: readonly Touch[]): Promise<void> {
    const lifts = touches.every(({ pressure }) => pressure === 0);
    return this.#inTurn(() => this.#send({ touch_event: { touches } }, lifts));
  }

  /** Settles as `touch` does. */
  key(event: KeyboardEvent): Promise<void> {
    return this.#inTurn(() => this.#send({ key_event: event }, event.eventType === KEY_UP));
  }

  /**
   * Settles when the emulator has taken every event so far. Rejects with a `DeviceFault` when one of them was lost.
   * @param signal when it fires, an emulator that does not answer is waited for no longer than a moment
   */
  arrived(signal?: AbortSignal): Promise<void> {
    return this.#inTurn(async () => {
      await this.#finish(signal);
      this.#throwFault();
    });
  }

  /** Settles when no event is under way any more, and leaves it to `arrived` to tell of a loss. */
  flushed(): Promise<void> {
    return this.#inTurn(() => this.#finish());
  }

  /** Finds out which way there is. Rejects with a `DeviceFault`. */
  prepare(): Promise<void> {
    return this.#inTurn(async () => {
      this.#reach().used = true;
      await this.#finish();
      this.#throwFault();
    });
  }

  close(): void {
    this.#closed = true;
    this.#open?.call.cancel();
    this.#open = undefined;
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #send(event: InputEvent, lifts: boolean): Promise<void> {
    if (this.#fault && !lifts) return;
    try {
      if (this.#unary) return await this.#sendAlone(event);
      const open = this.#reach();
      open.used = true;
      open.call.write(event);
    } catch (error) {
      if (!(error instanceof DeviceFault)) throw error;
      this.#fault ??= error;
    }
  }

  async #sendAlone({ touch_event, key_event }: InputEvent): Promise<void> {
    if (this.#closed) throw closed();
    if (touch_event) await this.#client.touch(touch_event.touches);
    if (key_event) await this.#client.key(key_event);
  }

  async #finish(signal?: AbortSignal): Promise<void> {
    const open = this.#open;
    if (open?.used) {
      open.asked = true;
      open.call.end();
      const fault = await endWithin(open, signal);
      open.call.cancel();
      this.#forget(open, fault);
    }
    // Opening takes its time, which the next event is not to wait for.
    if (!this.#unary && !this.#closed && !this.#fault) this.#reach();
  }

  #throwFault(): void {
    const fault = this.#fault;
    this.#fault = undefined;
    if (fault) throw fault;
  }

  #reach(): OpenCall {
    if (this.#closed) throw closed();
    if (this.#open) return this.#open;
    let end: OpenCall['end'] = () => undefined;
    const ended = new Promise<DeviceFault | undefined>((resolve) => {
      end = resolve;
    });
    const call = this.#client.streamInput((error) => {
      if (error && isUnimplemented(error)) this.#unary = true;
      const fault = error ? toFault(error) : new DeviceFault('unavailable', 'The emulator takes no more input.');
      const lost = this.#unary || (open.asked && !error) ? undefined : fault;
      this.#forget(open, lost);
      end(lost);
    });
    const open: OpenCall = { call, ended, end, used: false, asked: false };
    this.#open = open;
    return open;
  }

  /** The next event goes by another call. */
  #forget(open: OpenCall, fault: DeviceFault | undefined): void {
    if (this.#open !== open) return;
    this.#open = undefined;
    if (open.used) this.#fault ??= fault;
  }
}

/** How the call ended, or that it does not. */
async function endWithin({ ended, end }: OpenCall, signal: AbortSignal | undefined): Promise<DeviceFault | undefined> {
  let abortTimer: NodeJS.Timeout | undefined;
  const late = setTimeout(() => end(tookNothing('unavailable')), CALL_MS_MAX);
  const onAbort = () => {
    abortTimer = setTimeout(() => end(tookNothing('aborted')), ENDED_MS_MAX);
  };
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await ended;
  } finally {
    clearTimeout(late);
    clearTimeout(abortTimer);
    signal?.removeEventListener('abort', onAbort);
  }
}

const closed = () => new DeviceFault('unreachable', 'The input of the device is closed.');

const tookNothing = (kind: 'unavailable' | 'aborted') =>
  new DeviceFault(kind, 'The emulator does not say that it has taken the input.');
