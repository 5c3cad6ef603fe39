import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import type { Screenshot } from '../link/messages.ts';
import type { RemoteDevice } from '../link/remote-device.ts';

/**
 * Screenshots of one session, shared by concurrent callers. One is taken at a time. Calls that come meanwhile share the
 * next one, because the running one may not show inputs that were already acknowledged to them.
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
   * Rejects with a `DeviceFault`, or `rate_limited` if too many callers wait; some places are reserved for the role `control`. The
   * bytes are shared and must not be changed.
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
