import type { DeviceScreen, Picture } from '../../device/driver.ts';
import type { GuestShell } from './adb/guest-shell.ts';
import { Screencaps } from './adb/screencaps.ts';
import { CapturedScreen } from './captured-screen.ts';
import type { QuarterTurns } from './guest/orientation.ts';

/** The screen of one display of several, active or not: pictures are taken of it while somebody watches it by its name. */
export class DisplayScreen implements DeviceScreen {
  readonly #name: string;
  readonly #screencaps: Screencaps;
  readonly #screen: CapturedScreen;

  /** @param turns how the display is turned now */
  constructor(shell: GuestShell, name: string, turns: () => QuarterTurns) {
    this.#name = name;
    this.#screencaps = new Screencaps(shell, () => this.#screen.changed());
    const frame = async () => ({ ...(await this.#screencaps.take(name)), turns: turns() });
    this.#screen = new CapturedScreen({ frame, refresh: async () => undefined });
  }

  async capture(): Promise<Picture> {
    return { ...(await this.#screen.capture()), display: this.#name };
  }

  onChange(listener: () => void): void {
    this.#screen.onChange(listener);
  }

  /** An input is being sent to the device. */
  sent(inputSeq: number): void {
    this.#screen.sent(inputSeq);
  }

  close(): void {
    this.#screencaps.close();
    this.#screen.close();
  }
}
