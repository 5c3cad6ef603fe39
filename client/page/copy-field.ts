import { button } from './button.ts';
import { element } from './element.ts';
import { icon } from './icons.ts';

const SHOWN_MS = 2_000;

/** Text to be copied as it is. Where the browser keeps the clipboard from this page, it is selected for the keyboard. */
export function copyField(label: string, text: string): HTMLElement {
  const input = element('input', {
    readonly: true,
    value: text,
    class: 'secret',
    'aria-label': label,
    spellcheck: 'false',
  });
  const heard = element('span', { role: 'status', class: 'quiet' });
  const copy = button('Copy', () => void run(), { icon: 'copy' });
  const run = async () => {
    input.select();
    try {
      await navigator.clipboard.writeText(text);
      copy.replaceChildren(icon('done'), 'Copied');
      heard.textContent = '';
    } catch {
      heard.textContent = 'Press Ctrl+C or ⌘C to copy the selected text.';
      return;
    }
    setTimeout(() => copy.replaceChildren(icon('copy'), 'Copy'), SHOWN_MS);
  };
  input.addEventListener('focus', () => input.select());
  return element('div', { class: 'copy' }, input, copy, heard);
}
