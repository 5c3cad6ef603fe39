import { type ClientWritableStream, status } from '@grpc/grpc-js';
import { DeviceFault } from '../../../device/fault.ts';
import { systemClock } from '../../../flow/clock.ts';
import { timeoutUnlessStalled } from '../../../flow/stall-timeout.ts';
import { plainLine } from '../../process/plain-line.ts';
import type { CompanionClient } from './companion-client.ts';

const ANSWER_MS = 5_000;

/** Something that an event presses or lifts. */
export interface Touched {
  readonly name: string;
  /** The event that lifts it; absent for a lifting event. */
  readonly release?: object;
}

interface Sent {
  readonly event: object;
  readonly touched: Touched | undefined;
}

interface Running {
  readonly call: ClientWritableStream<object>;
  readonly answered: Promise<void>;
  /** True when an event was sent on it. */
  used: boolean;
  /** True when its answer was asked for. */
  asked: boolean;
}

/**
 * Events for a companion, in their order. It answers a call once that has ended and all of its events are done, so a call
 * is kept open for as long as nobody asks; events that come while an answer is awaited wait for it. The next call is opened
 * ahead, so that no event waits for that. A call that fails takes its events along: what may be down since is lifted by
 * the next one.
 */
export class InputCalls {
  readonly #client: CompanionClient;
  readonly #onLost: (reason: string) => void;
  #running: Running | undefined;
  #ending: Promise<void> | undefined;
  #waiting: Sent[] = [];
  /** Fingers, keys and buttons whose lifting is not yet confirmed. */
  readonly #down = new Map<string, { readonly release: object; lifted: boolean }>();
  #closed = false;

  /** @param onLost the companion is gone, and not only silent */
  constructor(client: CompanionClient, onLost: (reason: string) => void) {
    this.#client = client;
    this.#onLost = onLost;
    this.#running = this.#begin();
  }

  send(event: object, touched?: Touched): void {
    if (this.#ending !== undefined) this.#waiting.push({ event, touched });
    else this.#write({ event, touched });
  }

  /**
   * Settles once all events are done. Rejects with an `unreachable` fault when the companion does not say so in time, and
   * with a `failed` one when it says that one of them was not.
   */
  async taken(signal?: AbortSignal): Promise<void> {
    // The callers of the earlier events handle their failure.
    while (this.#ending !== undefined)
      await heard(
        this.#ending.catch(() => undefined),
        signal,
      );
    if (signal?.aborted) throw ended();
    this.#running ??= this.#begin();
    const running = this.#running;
    this.#running = undefined;
    running.asked = true;
    running.call.end();
    this.#ending = this.#await(running);
    // The caller may be gone by then.
    this.#ending.catch(() => undefined);
    await heard(this.#ending, signal);
  }

  close(): void {
    this.#closed = true;
    this.#running?.call.cancel();
  }

  async #await({ call, answered }: Running): Promise<void> {
    const cancelTimer = timeoutUnlessStalled(ANSWER_MS, systemClock, () => call.cancel());
    let done = false;
    try {
      await answered;
      done = true;
    } finally {
      cancelTimer();
      this.#ending = undefined;
      if (!this.#closed) this.#goOn(done);
    }
  }

  /** @param done whether the events of the call before are */
  #goOn(done: boolean): void {
    if (done) for (const [name, { lifted }] of [...this.#down]) if (lifted) this.#down.delete(name);
    this.#running = this.#begin();
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const sent of waiting) this.#write(sent);
  }

  #write({ event, touched }: Sent): void {
    this.#running ??= this.#begin();
    this.#running.used = true;
    this.#running.call.write(event);
    if (!touched) return;
    const { name, release } = touched;
    const down = this.#down.get(name);
    if (release) this.#down.set(name, { release, lifted: false });
    else if (down) down.lifted = true;
  }

  #begin(): Running {
    let settle: (fault: DeviceFault | undefined) => void = () => undefined;
    const answered = new Promise<void>((resolve, reject) => {
      settle = (fault) => (fault ? reject(fault) : resolve());
    });
    // The promise may be awaited later, or never.
    answered.catch(() => undefined);
    const call = this.#client.hid((error) => {
      // A call that ends by itself is replaced; its events are reported as lost.
      if (!running.asked && !running.used && this.#running === running) this.#running = undefined;
      const gone = error?.code === status.UNAVAILABLE;
      const reason = `The helper idb_companion is lost: ${plainLine(error?.message ?? '')}.`;
      if (gone) this.#onLost(reason);
      if (gone) settle(new DeviceFault('unreachable', reason));
      else if (error?.code === status.CANCELLED) settle(silent());
      else if (error) settle(new DeviceFault('failed', `The helper refused: ${plainLine(error.message)}`));
      else settle(running.asked ? undefined : silent());
    });
    call.on('error', () => undefined);
    const running: Running = { call, answered, used: false, asked: false };
    for (const { release, lifted } of this.#down.values()) if (lifted) call.write(release);
    return running;
  }
}

/** The same promise, but it rejects when the caller stops waiting. */
function heard(answer: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return answer;
  if (signal.aborted) return Promise.reject(ended());
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(ended());
    signal.addEventListener('abort', onAbort, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

const ended = () => new DeviceFault('aborted', 'The wait for the helper was ended.');
const silent = () => new DeviceFault('unreachable', 'The helper idb_companion does not say that it has the input.');
