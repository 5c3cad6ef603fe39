import { element } from '../../page/element.ts';

export interface TextFieldOptions {
  /** Takes a text that an input method, a picker or a dead key made. */
  readonly take: (text: string) => void;
  /** Takes what a picture keyboard or an assistant asks to delete or break, which comes without a key. */
  readonly edit: (key: 'backspace' | 'delete' | 'enter') => void;
}

const EDITS: Readonly<Record<string, 'backspace' | 'delete' | 'enter'>> = {
  deleteContentBackward: 'backspace',
  deleteContentForward: 'delete',
  insertLineBreak: 'enter',
  insertParagraph: 'enter',
};

/**
 * A field that lies unseen over the screen and has the focus in its place: only a field is given what input methods,
 * emoji pickers and dead keys make. It is seen while a text is composed, and empty at all other times.
 */
export function textField({ take, edit }: TextFieldOptions): HTMLTextAreaElement {
  const field = element('textarea', {
    class: 'keys',
    rows: 1,
    // A touch on the screen is a touch of the device: it brings up no keyboard of the phone that shows this page.
    inputmode: 'none',
    autocomplete: 'off',
    autocapitalize: 'off',
    autocorrect: 'off',
    spellcheck: 'false',
  });
  const flush = (): void => {
    const text = field.value;
    field.value = '';
    if (text !== '') take(text);
  };
  field.addEventListener('beforeinput', (event) => {
    const key = event.isComposing || field.value !== '' ? undefined : EDITS[event.inputType];
    if (!key) return;
    event.preventDefault();
    edit(key);
  });
  field.addEventListener('compositionstart', () => field.classList.add('composing'));
  field.addEventListener('input', (event) => {
    if (!(event instanceof InputEvent && event.isComposing)) flush();
  });
  // Some browsers end a composition with this event alone, others follow it with an `input`: either takes the text.
  field.addEventListener('compositionend', () => {
    field.classList.remove('composing');
    flush();
  });
  field.addEventListener('blur', flush);
  return field;
}
