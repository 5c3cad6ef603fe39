import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import type { Screenshot } from '../link/messages.ts';
import type { RemoteDevice } from '../link/remote-device.ts';

/**
 * Screenshots of one session for all who ask. One is on its way at a time; whoever asks meanwhile shares the next one,
 * because the one on its way may show less than they have seen acknowledged.
 */
export class SharedScreenshots {
  readonly #device: RemoteDevice;
  #running: Promise<unknown> | undefined;
  #next: Promise<Screenshot> | undefined;
  #pending = 0;

  constructor(device: RemoteDevice) {
    this.#device = device;
  }

  /**
   * Rejects with a `DeviceFault`, or `rate_limited` when too many callers wait; guests leave room for those who control.
   * The bytes are shared: nobody writes to them.
   */
  async take(guest: boolean): Promise<Screenshot> {
    const room = LIMITS.pendingScreenshots - (guest ? LIMITS.pendingScreenshotsForControl : 0);
    if (this.#pending >= room) {
      const message = `The session has ${room} screenshots waiting.`;
      throw new ServiceError('rate_limited', message, { retryAfterSeconds: 1 });
    }
    this.#pending++;
    try {
      return await (this.#running === undefined ? this.#start() : this.#shareNext(this.#running));
    } finally {
      this.#pending--;
    }
  }

  #start(): Promise<Screenshot> {
    const taken = this.#device.screenshot();
    const running: Promise<unknown> = taken
      .catch(() => undefined)
      .finally(() => {
        if (this.#running === running) this.#running = undefined;
      });
    this.#running = running;
    return taken;
  }

  #shareNext(running: Promise<unknown>): Promise<Screenshot> {
    this.#next ??= running.then(() => {
      this.#next = undefined;
      return this.#start();
    });
    return this.#next;
  }
}
