import { DeviceFault } from '../device/fault.ts';
import type { DeviceTarget } from '../device/target.ts';
import type { Clock } from '../flow/clock.ts';
import { withTimeout } from '../flow/timeout.ts';

/** An operation on a whole device. The names are used in error messages. */
export type DeviceOperation = 'made ready' | 'opened' | 'reset';

/** Total time limits of the operations, including waiting. */
export const OPERATION_MS_MAX: Readonly<Record<DeviceOperation, number>> = {
  // A cold boot takes up to three minutes; the gateway's own limit is five.
  'made ready': 270_000,
  // The creation of a session answers after 120 s and should have the reason by then.
  opened: 110_000,
  // Apps are removed and emptied one by one, a second or two each. Callers wait for the first seconds only.
  reset: 60_000,
};
/** Maximum wait for a device in another operation: a health check takes about a second. */
const BUSY_MS_MAX = 10_000;

interface Running {
  readonly name: string;
  readonly operation: DeviceOperation;
  /** Resolves when the driver is done with the device, even after the time limit. */
  readonly over: Promise<void>;
  readonly giveUp: (fault: DeviceFault) => void;
}

export interface OperationOptions<T> {
  /** The part of its time that has already passed. */
  readonly waitedMs?: number;
  /** Aborts the operation. */
  readonly abort?: AbortSignal;
  /** Undoes a result that arrives after the operation was aborted. */
  readonly undo?: (late: T) => Promise<unknown>;
}

/**
 * Runs operations on whole devices, each within a time limit and one at a time for each device; only a reset does not
 * wait. An operation that is given up is aborted by its signal, and its caller gets a `DeviceFault` at once, even if
 * the driver ignores the signal. A real device is not made ready or opened again before the driver has let go of it.
 */
export class DeviceLock {
  readonly #clock: Clock;
  readonly #running = new Set<Running>();
  #closed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param target the device; absent for one that is made for its session, which nothing else can want */
  async run<T>(
    target: DeviceTarget | undefined,
    operation: DeviceOperation,
    work: (signal: AbortSignal) => Promise<T>,
    { waitedMs = 0, abort, undo }: OperationOptions<T> = {},
  ): Promise<T> {
    const dueMs = this.#clock.monotonicMs() - waitedMs + OPERATION_MS_MAX[operation];
    const name = target === undefined ? '' : `${target.driver} ${target.id}`;
    // A reset must run in any case.
    if (target && operation !== 'reset') {
      const giveUpAtMs = this.#clock.monotonicMs() + BUSY_MS_MAX;
      // Checked and taken without an await in between, since another waiter may have been faster.
      for (let others = this.#runningOn(name); others.length > 0; others = this.#runningOn(name)) {
        await this.#waitUntilFree(others, giveUpAtMs);
      }
    }
    if (this.#closed) throw ending();
    if (abort?.aborted) throw unwanted();
    const controller = new AbortController();
    let done: () => void = () => undefined;
    const over = new Promise<void>((resolve) => {
      done = resolve;
    });
    return new Promise<T>((resolve, reject) => {
      let givenUp = false;
      const giveUp = (fault: DeviceFault) => {
        if (givenUp) return;
        givenUp = true;
        reject(fault);
        controller.abort(fault);
      };
      const running: Running = { name, operation, over, giveUp };
      this.#running.add(running);
      const leftMs = Math.max(0, dueMs - this.#clock.monotonicMs());
      const cancelTimer = this.#clock.schedule(leftMs, () => giveUp(late(operation)));
      const onAbort = () => giveUp(unwanted());
      abort?.addEventListener('abort', onAbort, { once: true });
      const conclude = async () => {
        try {
          const value = await work(controller.signal);
          if (givenUp) await undo?.(value);
          resolve(value);
        } catch (error) {
          reject(error);
        } finally {
          givenUp = true;
          cancelTimer();
          abort?.removeEventListener('abort', onAbort);
          this.#running.delete(running);
          done();
        }
      };
      void conclude();
    });
  }

  /** Ends all running operations and starts no more. */
  close(): void {
    this.#closed = true;
    for (const { giveUp } of this.#running) giveUp(ending());
  }

  #runningOn(name: string): Running[] {
    return [...this.#running].filter((running) => running.name === name);
  }

  /** Rejects if the device is not free in time. */
  async #waitUntilFree([first, ...others]: readonly Running[], giveUpAtMs: number): Promise<void> {
    if (!first) return;
    const leftMs = giveUpAtMs - this.#clock.monotonicMs();
    try {
      await withTimeout(leftMs, this.#clock, Promise.all([first, ...others].map(({ over }) => over)));
    } catch {
      throw new DeviceFault('unavailable', `The device is still being ${first.operation}.`);
    }
  }
}

const late = (operation: DeviceOperation) =>
  new DeviceFault(
    'unavailable',
    `The device could not be ${operation} within ${OPERATION_MS_MAX[operation] / 1_000} s.`,
  );

const unwanted = () => new DeviceFault('aborted', 'The device is not wanted any more.');

const ending = () => new DeviceFault('unreachable', 'The host is ending.');
