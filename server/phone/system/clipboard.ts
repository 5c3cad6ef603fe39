/** The one clipboard of a phone: a text. */
export class Clipboard {
  #text = '';
  #changed: () => void = () => undefined;

  get text(): string {
    return this.#text;
  }

  set text(text: string) {
    if (text === this.#text) return;
    this.#text = text;
    this.#changed();
  }

  /** Calls `listener` whenever it holds another text. */
  onChange(listener: () => void): void {
    this.#changed = listener;
  }
}
