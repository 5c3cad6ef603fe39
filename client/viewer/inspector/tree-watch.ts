import type { Acknowledgement, UiTree } from '@runcloud/protocol';

/** Between two reads, at least; a device that takes longer for one is left in peace for as long. */
const PAUSE_MS = 300;

export interface TreeWatchParts {
  readonly read: () => Promise<Acknowledgement>;
  readonly now: () => number;
  /** Whether anybody sees the page. */
  readonly isSeen: () => boolean;
  readonly told: (tree: UiTree) => void;
  /** Why the tree cannot be read now. */
  readonly failed: (sentence: string) => void;
}

/** Reads what is on the screen after it changed: one read at a time, some three a second at most, and none that nobody sees. */
export class TreeWatch {
  readonly #parts: TreeWatchParts;
  #isOn = false;
  /** The screen may have changed since the last read began. */
  #isStale = false;
  #isReading = false;
  #pause: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: TreeWatchParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#isOn = true;
    this.changed();
  }

  stop(): void {
    this.#isOn = false;
    this.#isStale = false;
  }

  /** The screen may show something else. */
  changed(): void {
    this.#isStale = this.#isOn;
    this.resume();
  }

  /** The page may be seen again. */
  resume(): void {
    if (!this.#isStale || this.#isReading || this.#pause !== undefined || !this.#parts.isSeen()) return;
    void this.#read();
  }

  async #read(): Promise<void> {
    const { read, now, told, failed } = this.#parts;
    const startedAtMs = now();
    this.#isReading = true;
    this.#isStale = false;
    const { result, error } = await read();
    this.#isReading = false;
    if (this.#isOn) {
      if (error) failed(error.message);
      else told(result as unknown as UiTree);
    }
    this.#pause = setTimeout(
      () => {
        this.#pause = undefined;
        this.resume();
      },
      Math.max(PAUSE_MS, now() - startedAtMs),
    );
  }
}
