import type { Picture } from '../device/driver.ts';
import { type Frame, Screen } from './draw/screen.ts';

/** What a view shows. */
export interface Scenery {
  /** The picture at this moment; called only when it may have changed. */
  compose(): Frame;
  /** True when the picture changes by itself. */
  isMoving(): boolean;
  /** The newest input received. */
  inputSeq(): number;
}

/** A framebuffer with what somebody looks at: the active display of the phone, or one display whether it is active or not. */
export class View {
  readonly #scenery: Scenery;
  readonly #screen: Screen;
  #listener: () => void = () => undefined;
  #changed = true;
  #told = false;
  #movedAtRender = false;

  constructor(scenery: Scenery) {
    const { width, height, orientation } = scenery.compose();
    this.#scenery = scenery;
    this.#screen = new Screen(width, height, orientation);
  }

  /** True when the picture changes by itself, so that `render` should be called at the full rate. */
  get animating(): boolean {
    return this.#movedAtRender || this.#scenery.isMoving();
  }

  /** Draws the changes since the last call; returns the same picture object if nothing has changed. */
  render(): Picture {
    const wasMoving = this.#movedAtRender;
    this.#told = false;
    this.#movedAtRender = this.#scenery.isMoving();
    if (!this.#changed && !wasMoving && !this.#movedAtRender) return this.#screen.picture;
    this.#changed = false;
    return this.#screen.draw(this.#scenery.compose(), this.#scenery.inputSeq());
  }

  /** Draws the whole picture again. */
  redraw(): Picture {
    this.#screen.invalidate();
    this.#changed = true;
    return this.render();
  }

  /** Calls `listener` when the next `render` may return another picture; only once until that `render`. */
  onChange(listener: () => void): void {
    this.#listener = listener;
  }

  markChanged(): void {
    this.#changed = true;
    if (this.#told) return;
    this.#told = true;
    this.#listener();
  }
}
