import type { DeviceScreen, Picture } from '../../device/driver.ts';
import type { View } from '../../phone/view.ts';

/** A view of the phone as the host captures it. */
export class VirtualScreen implements DeviceScreen {
  readonly #view: Pick<View, 'render' | 'animating'>;
  #listener: () => void = () => undefined;
  #told = false;
  #inputSeq = 0;
  #picture: Picture | undefined;

  constructor(view: Pick<View, 'render' | 'animating' | 'onChange'>) {
    this.#view = view;
    view.onChange(() => this.#tell());
  }

  /** The next picture tells of the input, even if it changes nothing. */
  received(inputSeq: number): void {
    if (inputSeq <= this.#inputSeq) return;
    this.#inputSeq = inputSeq;
    this.#tell();
  }

  async capture(): Promise<Picture> {
    this.#told = false;
    const drawn = this.#view.render();
    if (drawn.version !== this.#picture?.version) this.#picture = drawn;
    // An input that changes no pixel has been received all the same.
    if (this.#picture.inputSeq < this.#inputSeq) this.#picture = { ...this.#picture, inputSeq: this.#inputSeq };
    if (this.#view.animating) this.#tell();
    return this.#picture;
  }

  onChange(listener: () => void): void {
    this.#listener = listener;
  }

  #tell(): void {
    if (this.#told) return;
    this.#told = true;
    this.#listener();
  }
}
