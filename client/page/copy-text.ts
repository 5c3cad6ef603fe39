import { button } from './button.ts';
import { openDialog } from './dialog.ts';
import { element } from './element.ts';

/**
 * Copies a text to the clipboard of this computer, or shows it in a dialog where the browser lets a page use the clipboard only right
 * after a click, or not at all. Resolves with whether it was copied.
 */
export async function copyText(text: string, title: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    await showText(text, title);
    return false;
  }
}

async function showText(text: string, title: string): Promise<void> {
  const area = element('textarea', { rows: 5, readonly: true, 'aria-label': title });
  area.value = text;
  const copy = button('Copy', () => {
    area.select();
    void navigator.clipboard?.writeText(text);
  });
  await openDialog({ title, content: [area], actions: [copy], ready: () => area.select() });
}
