import type { Clock } from '../flow/clock.ts';
import type { Thumbnail } from '../link/messages.ts';
import type { RemoteDevice } from '../link/remote-device.ts';

/** Minimum interval of captures for thumbnails, for all callers together. */
export const THUMBNAIL_INTERVAL_MS = 1_000;

/** The newest thumbnail of one session, shared by all callers. */
export class SharedThumbnails {
  readonly #device: Pick<RemoteDevice, 'thumbnail'>;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #newest: Promise<Thumbnail> | undefined;
  #askedMs = 0;

  constructor(device: Pick<RemoteDevice, 'thumbnail'>, clock: Pick<Clock, 'monotonicMs'>) {
    this.#device = device;
    this.#clock = clock;
  }

  /** Rejects with a `DeviceFault`. The bytes are shared and must not be changed. */
  take(): Promise<Thumbnail> {
    const nowMs = this.#clock.monotonicMs();
    if (this.#newest && nowMs - this.#askedMs < THUMBNAIL_INTERVAL_MS) return this.#newest;
    this.#askedMs = nowMs;
    const taken = this.#device.thumbnail();
    this.#newest = taken;
    taken.catch(() => {
      if (this.#newest === taken) this.#newest = undefined;
    });
    return taken;
  }
}
