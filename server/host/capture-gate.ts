import type { Device, Picture } from '../device/driver.ts';

/**
 * The only way to a device's pictures. Their pixels last until the next capture, so captures go one after the other,
 * and each is read before the next one begins.
 */
export class CaptureGate {
  readonly #device: Pick<Device, 'capture'>;
  /** The newest capture that is not yet read; it settles without fail. */
  #last: Promise<void> | undefined;

  constructor(device: Pick<Device, 'capture'>) {
    this.#device = device;
  }

  /**
   * Captures, at once if nobody else does, and hands the picture to `read`, which is done with its pixels when it returns.
   * What it returns comes in an object: a promise in there is not waited for, as the pixels are free before it settles.
   */
  capture<T>(read: (picture: Picture) => T): Promise<{ readonly value: T }> {
    const take = async () => ({ value: read(await this.#device.capture()) });
    const turn = this.#last === undefined ? take() : this.#last.then(take);
    const forget = () => {
      if (this.#last === settled) this.#last = undefined;
    };
    const settled: Promise<void> = turn.then(forget, forget);
    this.#last = settled;
    return turn;
  }
}
