import type { Button, Key, Modifier } from '@runcloud/protocol';
import { DeviceFault } from '../../device/fault.ts';
import type { Clock } from '../../flow/clock.ts';
import { sleepUntil } from '../../flow/sleep.ts';
import type { SimulatorHelper } from './helper.ts';
import { keyUsage, modifierUsage } from './hid-usage.ts';
import { keyStrokes, SHIFT_USAGE } from './key-strokes.ts';

/** Guests lose keys that follow each other without a pause. */
const KEY_GAP_MS = 8;

type Hardware = Pick<SimulatorHelper, 'key' | 'button' | 'taken'>;

/** The keys and buttons of one simulator, and which of them are down. */
export class SimulatorKeyboard {
  readonly #helper: Hardware;
  readonly #clock: Clock;
  /** The functions that lift each pressed key, in the order of pressing. */
  readonly #held: (() => void)[] = [];

  constructor(helper: Hardware, clock: Clock) {
    this.#helper = helper;
    this.#clock = clock;
  }

  async pressKey(key: Key, modifiers: readonly Modifier[], durationMs: number, signal: AbortSignal): Promise<void> {
    const usages = [...modifiers.map(modifierUsage), keyUsage(key)];
    await this.#press(usages, durationMs, signal);
  }

  async pressButton(button: Button, durationMs: number, signal: AbortSignal): Promise<void> {
    await this.#holding(durationMs, signal, () => {
      this.#helper.button('down', button);
      this.#held.push(() => this.#helper.button('up', button));
    });
  }

  async type(text: string, signal: AbortSignal): Promise<void> {
    for (const { usage, shift } of keyStrokes(text)) {
      await this.#press(shift ? [SHIFT_USAGE, usage] : [usage], KEY_GAP_MS, signal);
      await this.wait(KEY_GAP_MS, signal);
    }
  }

  /** The newest first, so that a modifier outlasts its key. */
  releaseAll(): void {
    while (this.#held.length > 0) this.#held.pop()?.();
  }

  /** Rejects with an `aborted` fault when the signal fires. */
  async wait(forMs: number, signal: AbortSignal): Promise<void> {
    try {
      await sleepUntil(this.#clock.monotonicMs() + forMs, this.#clock, signal);
    } catch {
      throw new DeviceFault('aborted', 'The hold was ended early.');
    }
  }

  #press(usages: readonly number[], durationMs: number, signal: AbortSignal): Promise<void> {
    return this.#holding(durationMs, signal, () => {
      for (const usage of usages) {
        this.#helper.key('down', usage);
        this.#held.push(() => this.#helper.key('up', usage));
      }
    });
  }

  async #holding(durationMs: number, signal: AbortSignal, press: () => void): Promise<void> {
    if (signal.aborted) throw new DeviceFault('aborted', 'The hold was ended early.');
    try {
      press();
      // The hold begins when the helper has it, so that a busy helper does not shorten it.
      await this.#helper.taken(signal);
      await this.wait(durationMs, signal);
    } finally {
      this.releaseAll();
    }
  }
}
