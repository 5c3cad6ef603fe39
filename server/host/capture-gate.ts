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

  /** Settles, and never rejects, when every picture that was asked for is read: the device's memory may go. */
  async settled(): Promise<void> {
    while (this.#last !== undefined) await this.#last;
  }

  /**
   * Captures as soon as no other capture runs, and hands the picture to `read`. The pixels stay valid until `read`
   * returns, or until the promise that it returns settles.
   */
  capture<T>(read: (picture: Picture) => T | Promise<T>): Promise<T> {
    const take = async () => read(await this.#device.capture());
    const turn = this.#last === undefined ? take() : this.#last.then(take);
    const forget = () => {
      if (this.#last === settled) this.#last = undefined;
    };
    const settled: Promise<void> = turn.then(forget, forget);
    this.#last = settled;
    return turn;
  }
}
