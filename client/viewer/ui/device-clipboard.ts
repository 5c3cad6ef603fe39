import { button } from '../../page/button.ts';
import { openDialog } from '../../page/dialog.ts';
import { element } from '../../page/element.ts';
import type { Viewer } from '../viewer.ts';

/** Copies the text in the device's clipboard to the one of this computer. Resolves with a sentence for the person. */
export async function copyFromDevice(viewer: Viewer): Promise<string> {
  const { result, error } = await viewer.readClipboard();
  if (error) return error.message;
  const { text, truncated } = result as { text: string; truncated?: true };
  if (text === '') return 'The clipboard of the device holds no text.';
  const cut = truncated ? ' It is the first part of a longer one.' : '';
  try {
    await navigator.clipboard.writeText(text);
    return `The text was copied from the device.${cut}`;
  } catch {
    await showText(text);
    return cut.trim();
  }
}

/** For browsers that let a page use the clipboard only right after a click. */
async function showText(text: string): Promise<void> {
  const area = element('textarea', { rows: 5, readonly: true, 'aria-label': 'Text in the clipboard of the device' });
  area.value = text;
  const copy = button('Copy', () => {
    area.select();
    void navigator.clipboard?.writeText(text);
  });
  await openDialog({ title: 'Clipboard of the device', content: [area], actions: [copy], ready: () => area.select() });
}
