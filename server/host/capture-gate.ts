import type { DeviceScreen, Picture } from '../device/driver.ts';

/**
 * Serializes captures of a device: the pixels are valid only until the next capture, so each picture is read before the next
 * capture starts.
 */
export class CaptureGate {
  readonly #device: Pick<DeviceScreen, 'capture'>;
  /** The newest capture that is not read yet; never rejects. */
  #last: Promise<void> | undefined;

  constructor(device: Pick<DeviceScreen, 'capture'>) {
    this.#device = device;
  }

  /** Settles when every requested picture is read and the device's memory can be freed; never rejects. */
  async settled(): Promise<void> {
    while (this.#last !== undefined) await this.#last;
  }

  /**
   * Captures as soon as no other capture runs, and passes the picture to `read`. The pixels are valid until `read` returns, or its
   * promise settles.
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
