import type { Toasts } from '../../page/toasts.ts';

/** Texts that did not reach the device: told of, and kept until the person has taken them. */
export class UnsentText {
  readonly #toasts: Toasts;
  readonly #show: (text: string) => void;
  #text = '';

  /** @param show opens a dialog with the text, where it can be copied or sent again */
  constructor(toasts: Toasts, show: (text: string) => void) {
    this.#toasts = toasts;
    this.#show = show;
  }

  /** @param text may be empty: a key that types nothing is only told of */
  keep(text: string, reason: string): void {
    this.#text += text;
    const action = { name: 'Show the text', act: () => this.#take() };
    this.#toasts.show(reason, this.#text === '' ? undefined : action);
  }

  #take(): void {
    this.#show(this.#text);
    this.#text = '';
  }
}
