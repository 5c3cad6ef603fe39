import type { Orientation } from '@runcloud/protocol';
import { DeviceFault } from '../../device/fault.ts';
import { systemClock } from '../../flow/clock.ts';
import { poll } from '../../flow/poll.ts';
import type { Devicectl, DeviceWord } from './devicectl.ts';
import type { SimulatorHelper } from './helper.ts';
import type { PanelSize } from './physical-point.ts';
import type { Udid } from './udid.ts';

/** A guest turns within a second; an app that keeps its orientation never does. */
const TURNS = { everyMs: 100, forMs: 3_000 } as const;

const OPPOSITE: Readonly<Partial<Record<Orientation, Orientation>>> = {
  landscape_left: 'landscape_right',
  landscape_right: 'landscape_left',
};

export interface RotationParts {
  readonly udid: Udid;
  readonly helper: Pick<SimulatorHelper, 'rotate' | 'taken'>;
  readonly devicectl: Pick<Devicectl, 'setOrientation' | 'display'> | undefined;
  /** The size of the picture as it is now. */
  readonly pictureSize: () => Promise<PanelSize>;
}

/**
 * Turns one simulator: by `devicectl` where that can, and otherwise by the helper. What came of it is read back, from
 * `devicectl` or else from the shape of the picture, which cannot tell one side from the other.
 */
export class Rotation {
  readonly #parts: RotationParts;
  /** True when `landscapeLeft` of the guest was found to be the interface's `landscapeLeft`. */
  #sameSides = false;

  constructor(parts: RotationParts) {
    this.#parts = parts;
  }

  /**
   * Rejects with a `failed` fault when the guest is seen not to turn; it is then held as before.
   * @param from how it is held now
   */
  async turn(orientation: Orientation, from: Orientation, signal?: AbortSignal): Promise<void> {
    if (await this.#turned(orientation, signal)) return;
    await this.#hold(from, signal);
    throw new DeviceFault('failed', 'The app in front does not turn.');
  }

  /** The interface's current orientation; `undefined` when unknown. */
  async seen(): Promise<Orientation | undefined> {
    const { devicectl, udid } = this.#parts;
    return (await devicectl?.display(udid))?.orientation;
  }

  async #turned(orientation: Orientation, signal?: AbortSignal): Promise<boolean> {
    await this.#hold(orientation, signal);
    const seen = await this.#lookFor(orientation, signal);
    if (seen === undefined) return this.#liesAs(orientation, signal);
    if (seen !== OPPOSITE[orientation]) return seen === orientation;
    this.#sameSides = !this.#sameSides;
    await this.#hold(orientation, signal);
    return (await this.#lookFor(orientation, signal)) === orientation;
  }

  async #hold(orientation: Orientation, signal?: AbortSignal): Promise<void> {
    const { udid, helper, devicectl } = this.#parts;
    if (devicectl) return devicectl.setOrientation(udid, this.#word(orientation), signal);
    await helper.rotate(orientation);
    await helper.taken(signal);
  }

  /** The interface's orientation afterwards; `undefined` when unknown. */
  async #lookFor(wanted: Orientation, signal?: AbortSignal): Promise<Orientation | undefined> {
    const { devicectl, udid } = this.#parts;
    const fits = (seen: Orientation | undefined) => seen === undefined || seen === wanted || seen === OPPOSITE[wanted];
    return look(async () => (await devicectl?.display(udid, signal))?.orientation, fits, signal);
  }

  async #liesAs(wanted: Orientation, signal?: AbortSignal): Promise<boolean> {
    const lying = wanted.startsWith('landscape');
    const { pictureSize } = this.#parts;
    const fits = ({ width, height }: PanelSize) => width > height === lying;
    return fits(await look(pictureSize, fits, signal));
  }

  #word(orientation: Orientation): DeviceWord {
    const left = this.#sameSides ? 'landscapeLeft' : 'landscapeRight';
    const right = this.#sameSides ? 'landscapeRight' : 'landscapeLeft';
    return {
      portrait: 'portrait',
      portrait_upside_down: 'portraitUpsideDown',
      landscape_left: left,
      landscape_right: right,
    }[orientation] as DeviceWord;
  }
}

/** Asks until the answer fits, or for as long as a guest may take; returns the newest answer. */
function look<T>(ask: () => Promise<T>, fits: (answer: T) => boolean, signal?: AbortSignal): Promise<T> {
  const attempt = () => {
    if (signal?.aborted) throw new DeviceFault('aborted', 'Turning the device was ended.');
    return ask();
  };
  return poll(systemClock, TURNS, attempt, fits);
}
