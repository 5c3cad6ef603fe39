import { button } from '../../page/button.ts';
import { openDialog } from '../../page/dialog.ts';
import { element } from '../../page/element.ts';
import { cannotType } from '../input/typed-text.ts';
import type { Viewer } from '../viewer.ts';

/**
 * Asks for a text to insert on the device: for a clipboard that the page may not read, for phones, and for a text that
 * could not be sent. Resolves with the text, or `undefined` if it was cancelled.
 */
export async function askForText(viewer: Viewer, text: string): Promise<string | undefined> {
  const area = element('textarea', { rows: 5, 'aria-label': 'Text to insert on the device', spellcheck: 'false' });
  const note = element('p', { class: 'hint', role: 'status' });
  const check = (): void => {
    note.textContent = cannotType(viewer, area.value);
  };
  const copy = async (): Promise<void> => {
    area.select();
    try {
      await navigator.clipboard.writeText(area.value);
      note.textContent = 'Copied.';
    } catch {
      note.textContent = 'Press Ctrl+C or ⌘C to copy the selected text.';
    }
  };
  area.value = text;
  area.addEventListener('input', check);
  check();
  const confirmed = await openDialog({
    title: 'Insert text',
    content: [area, note],
    actions: [button('Copy', () => void copy())],
    confirm: 'Insert',
    ready: () => area.select(),
  });
  return confirmed && area.value !== '' ? area.value : undefined;
}
