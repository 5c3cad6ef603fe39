import type { DeviceScreen, Picture } from '../device/driver.ts';

/** What is known of a picture when its pixels are gone. */
export interface NewestPicture extends Pick<Picture, 'version' | 'damage' | 'width' | 'height'> {
  readonly display: string | undefined;
  /** How many captures there were, this one included. */
  readonly captures: number;
}

/**
 * Serializes captures of a device: the pixels are valid only until the next capture, so each picture is read before the next
 * capture starts.
 */
export class CaptureGate {
  readonly #device: Pick<DeviceScreen, 'capture'>;
  #newest: NewestPicture | undefined;
  #captures = 0;
  /** The newest capture that is not read yet; never rejects. */
  #last: Promise<void> | undefined;

  constructor(device: Pick<DeviceScreen, 'capture'>) {
    this.#device = device;
  }

  /** What was captured last, for whomever; absent before the first capture. */
  get newest(): NewestPicture | undefined {
    return this.#newest;
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
    const take = async () => {
      const picture = await this.#device.capture();
      const { version, damage, width, height, display } = picture;
      this.#newest = { version, damage, width, height, display, captures: ++this.#captures };
      return read(picture);
    };
    const turn = this.#last === undefined ? take() : this.#last.then(take);
    const forget = () => {
      if (this.#last === settled) this.#last = undefined;
    };
    const settled: Promise<void> = turn.then(forget, forget);
    this.#last = settled;
    return turn;
  }
}
