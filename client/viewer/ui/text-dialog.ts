import { refusalSentence, typable } from '../input/typed-text.ts';
import { element } from './element.ts';

/** A dialog for text to type on the device: for a clipboard that the page may not read, and for phones. */
export class TextDialog {
  readonly #area = element('textarea', { rows: 5, 'aria-label': 'Text to type on the device', spellcheck: 'false' });
  readonly #note = element('p', { class: 'note', role: 'status' });
  readonly element: HTMLDialogElement;

  constructor(send: (text: string) => void) {
    const cancel = element('button', { type: 'button' }, 'Cancel');
    const submit = element('button', { type: 'submit', class: 'primary' }, 'Type it');
    const form = element(
      'form',
      { method: 'dialog' },
      element('h2', {}, 'Type text'),
      this.#area,
      this.#note,
      element('div', { class: 'row' }, cancel, submit),
    );
    this.element = element('dialog', { 'aria-label': 'Type text on the device' }, form);
    this.#area.addEventListener('input', () => this.#check());
    cancel.addEventListener('click', () => this.element.close());
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.element.close();
      if (this.#area.value !== '') send(this.#area.value);
    });
  }

  open(text: string): void {
    this.#area.value = text;
    this.#check();
    this.element.showModal();
    this.#area.select();
  }

  #check(): void {
    this.#note.textContent = refusalSentence(typable(this.#area.value).refused);
  }
}
