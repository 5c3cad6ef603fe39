import type { FoundDevice } from '../device/driver.ts';
import type { DeviceQuery } from '../device/target.ts';
import type { Clock } from '../flow/clock.ts';
import { withTimeout } from '../flow/timeout.ts';

/** How often the hosts are searched for new devices, such as an emulator that was started by hand. */
const SEARCH_INTERVAL_MS = 15_000;
/** Drivers have shorter bounds of their own; this one is for a host thread that hangs. */
const SEARCH_MS_MAX = 60_000;

export interface DeviceFinderOptions {
  readonly queries: readonly DeviceQuery[];
  /** Finds the devices of a host. Rejects with a `DeviceFault`. */
  readonly ask: (query: DeviceQuery) => Promise<readonly FoundDevice[]>;
  /** Called for each device at each search. */
  readonly onFound: (device: FoundDevice) => void;
  readonly clock: Clock;
}

/** Finds the real devices that the settings name: before the service starts, and periodically afterwards. */
export class DeviceFinder {
  readonly #options: DeviceFinderOptions;
  #cancelTimer: () => void = () => undefined;
  #closed = false;

  constructor(options: DeviceFinderOptions) {
    this.#options = options;
  }

  /** The first search. Rejects with a driver's sentence if the host lacks its programs. */
  async begin(): Promise<void> {
    if (this.#options.queries.length === 0) return;
    for (const query of this.#options.queries) await this.#search(query);
    this.#searchLater();
  }

  close(): void {
    this.#closed = true;
    this.#cancelTimer();
  }

  #searchLater(): void {
    if (this.#closed) return;
    this.#cancelTimer = this.#options.clock.schedule(SEARCH_INTERVAL_MS, () => void this.#searchAgain());
  }

  async #searchAgain(): Promise<void> {
    // A removed device is detected when it is made ready.
    for (const query of this.#options.queries) {
      if (this.#closed) return;
      await this.#search(query).catch(() => undefined);
    }
    this.#searchLater();
  }

  async #search(query: DeviceQuery): Promise<void> {
    const { ask, clock, onFound } = this.#options;
    for (const device of await withTimeout(SEARCH_MS_MAX, clock, ask(query))) onFound(device);
  }
}
