import { copyText } from '../../page/copy-text.ts';
import type { Viewer } from '../viewer.ts';

/** Copies the text in the device's clipboard to the one of this computer. Resolves with a sentence for the person. */
export async function copyFromDevice(viewer: Viewer): Promise<string> {
  const { result, error } = await viewer.readClipboard();
  if (error) return error.message;
  const { text, truncated } = result as { text: string; truncated?: true };
  if (text === '') return 'The clipboard of the device holds no text.';
  const cut = truncated ? ' It is the first part of a longer one.' : '';
  const isCopied = await copyText(text, 'Clipboard of the device');
  return isCopied ? `The text was copied from the device.${cut}` : cut.trim();
}
