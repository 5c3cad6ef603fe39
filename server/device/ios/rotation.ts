import { setTimeout as sleep } from 'node:timers/promises';
import type { Orientation } from '@runcloud/protocol';
import { DeviceFault } from '../fault.ts';
import type { Devicectl, DeviceWord } from './devicectl.ts';
import type { SimulatorHelper } from './helper.ts';
import type { Udid } from './udid.ts';

/** A guest turns within a second; an app that keeps its orientation never does. */
const TURN_MS = 3_000;
const LOOK_MS = 100;

const OPPOSITE: Readonly<Partial<Record<Orientation, Orientation>>> = {
  landscape_left: 'landscape_right',
  landscape_right: 'landscape_left',
};

/** Turns one simulator: by `devicectl` where that can, which tells what came of it, and otherwise by the helper. */
export class Rotation {
  readonly #udid: Udid;
  readonly #helper: Pick<SimulatorHelper, 'rotate' | 'taken'>;
  readonly #devicectl: Pick<Devicectl, 'setOrientation' | 'display'> | undefined;
  /** Whether `landscapeLeft` turned out to be what the interface calls by the same name. */
  #sameSides = false;

  constructor(
    udid: Udid,
    helper: Pick<SimulatorHelper, 'rotate' | 'taken'>,
    devicectl: Pick<Devicectl, 'setOrientation' | 'display'> | undefined,
  ) {
    this.#udid = udid;
    this.#helper = helper;
    this.#devicectl = devicectl;
  }

  /** Rejects with a `failed` fault when the guest is seen not to turn. */
  async turn(orientation: Orientation, signal?: AbortSignal): Promise<void> {
    if (!this.#devicectl) {
      await this.#helper.rotate(orientation);
      return this.#helper.taken(signal);
    }
    await this.#devicectl.setOrientation(this.#udid, this.#word(orientation), signal);
    const seen = await this.#lookFor(orientation, signal);
    if (seen === undefined || seen === orientation) return;
    if (seen === OPPOSITE[orientation]) {
      this.#sameSides = !this.#sameSides;
      await this.#devicectl.setOrientation(this.#udid, this.#word(orientation), signal);
      if ((await this.#lookFor(orientation, signal)) === orientation) return;
    }
    throw new DeviceFault('failed', 'The app in front does not turn.');
  }

  /** What the interface came to; `undefined` where that is not told. */
  async #lookFor(wanted: Orientation, signal?: AbortSignal): Promise<Orientation | undefined> {
    const giveUpMs = performance.now() + TURN_MS;
    for (;;) {
      const seen = (await this.#devicectl?.display(this.#udid, signal))?.orientation;
      if (seen === undefined || seen === wanted || seen === OPPOSITE[wanted] || performance.now() > giveUpMs)
        return seen;
      await sleep(LOOK_MS);
      if (signal?.aborted) throw new DeviceFault('aborted', 'Turning the device was ended.');
    }
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
