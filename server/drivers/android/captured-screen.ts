import type { Picture } from '../../device/driver.ts';
import { changedBands } from './changed-bands.ts';
import { orientationOf } from './guest/orientation.ts';
import type { FrameBackend } from './input-backend.ts';

/** An input without a visible change is confirmed by an unchanged picture after this time. */
const STILL_MS = 250;

/** The screen of a device that gives frames when it is asked for them. */
export class CapturedScreen {
  readonly #backend: Pick<FrameBackend, 'frame' | 'refresh'>;
  #listener: () => void = () => undefined;
  #picture: Picture | undefined;
  #stale = true;
  #told = false;
  #inputSeq = 0;
  #still: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(backend: Pick<FrameBackend, 'frame' | 'refresh'>) {
    this.#backend = backend;
  }

  /** The newest frame shows something else now. */
  changed(): void {
    this.#stale = true;
    this.#tell();
  }

  /** An input is being sent to the device. */
  sent(inputSeq: number): void {
    if (inputSeq <= this.#inputSeq) return;
    this.#inputSeq = inputSeq;
    clearTimeout(this.#still);
    this.#still = setTimeout(() => this.#tell(), STILL_MS);
  }

  async capture(): Promise<Picture> {
    this.#told = false;
    if (!this.#stale && this.#picture) {
      if (this.#picture.inputSeq < this.#inputSeq) this.#picture = { ...this.#picture, inputSeq: this.#inputSeq };
      return this.#picture;
    }
    this.#stale = false;
    const { pixels, width, height, turns } = await this.#backend.frame();
    const before = this.#picture;
    const comparable = before?.width === width && before.height === height;
    const damage = comparable ? changedBands(before.pixels, pixels, width, height) : [{ x: 0, y: 0, width, height }];
    this.#picture = {
      pixels,
      width,
      height,
      orientation: orientationOf(turns),
      ...(before && damage.length === 0
        ? // What has changed since the version before is the same for all pictures of one version.
          { version: before.version, damage: before.damage }
        : { version: (before?.version ?? 0) + 1, damage }),
      inputSeq: this.#inputSeq,
    };
    return this.#picture;
  }

  /** The next capture shows the screen as it is now. */
  async refresh(): Promise<void> {
    await this.#backend.refresh();
    this.#stale = true;
  }

  onChange(listener: () => void): void {
    this.#listener = listener;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#still);
  }

  #tell(): void {
    if (this.#told || this.#closed) return;
    this.#told = true;
    this.#listener();
  }
}
