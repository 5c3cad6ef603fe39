import type { Point } from '@runcloud/protocol';
import type { Device, PointerPhase } from '../device/driver.ts';
import { DeviceFault } from '../device/fault.ts';

/**
 * The steps of the live gestures of one device. Whole gestures are sent ahead, so one that fails is ended here, before the next input:
 * its fingers are lifted, and what comes of it later is refused. The same is refused of a gesture whose begin was ended before its turn.
 */
export class LiveSteps {
  readonly #device: Pick<Device, 'pointer' | 'pointerNow'>;
  /** A gesture has begun, and neither ended nor failed. */
  #isOpen = false;

  constructor(device: Pick<Device, 'pointer' | 'pointerNow'>) {
    this.#device = device;
  }

  /** Takes a step at once; `false` where the device cannot. Throws what `take` rejects with. */
  takeNow(phase: PointerPhase, points: readonly Point[], inputSeq: number): boolean {
    if (!this.#device.pointerNow) return false;
    if (!this.#isToTake(phase)) return true;
    try {
      this.#device.pointerNow(phase, points, inputSeq);
    } catch (error) {
      this.#isOpen = false;
      if (phase !== 'cancel') this.#liftNow(inputSeq);
      throw error;
    }
    return true;
  }

  #liftNow(inputSeq: number): void {
    try {
      this.#device.pointerNow?.('cancel', [], inputSeq);
    } catch {
      // A device that cannot even lift the fingers has said why.
    }
  }

  /** Takes a step. Rejects with the device's faults, and `aborted` for a step of no gesture. */
  async take(phase: PointerPhase, points: readonly Point[], inputSeq: number): Promise<true> {
    if (!this.#isToTake(phase)) return true;
    try {
      await this.#device.pointer(phase, points, inputSeq);
    } catch (error) {
      this.#isOpen = false;
      // A device that cannot even lift the fingers has said why.
      if (phase !== 'cancel') await this.#device.pointer('cancel', [], inputSeq).catch(() => undefined);
      throw error;
    }
    return true;
  }

  #isToTake(phase: PointerPhase): boolean {
    const isOpen = this.#isOpen;
    this.#isOpen = phase === 'begin' || (isOpen && phase === 'move');
    if (isOpen || phase === 'begin') return true;
    if (phase === 'cancel') return false;
    throw new DeviceFault('aborted', 'The gesture was ended before this step.');
  }
}
