import { element } from '../../page/element.ts';
import type { Viewer } from '../viewer.ts';

/** The device's own picture, lossless and of full size, whatever the stream shows. */
async function take(viewer: Viewer): Promise<Blob> {
  const { result, error } = await viewer.screenshot();
  const image = result?.image;
  if (!(image instanceof Uint8Array)) throw new Error(error?.message ?? 'The screenshot could not be taken.');
  // A copy of its own: the decoded message may share memory with other things.
  return new Blob([new Uint8Array(image)], { type: 'image/png' });
}

const stamp = (): string => new Date().toISOString().slice(0, 19).replace(/[T:]/g, '-');

/** Offers the screenshot as a file. Resolves with a sentence for the person. */
export async function saveScreenshot(viewer: Viewer): Promise<string> {
  try {
    const address = URL.createObjectURL(await take(viewer));
    element('a', { href: address, download: `${viewer.platform ?? 'device'}-${stamp()}.png` }).click();
    // The download reads the address after this turn.
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
    return 'Screenshot saved.';
  } catch (error) {
    return sentenceOf(error);
  }
}

/** Secure contexts only, and not every frame may. */
export const canCopyScreenshot = (): boolean =>
  typeof ClipboardItem !== 'undefined' && navigator.clipboard?.write !== undefined;

export async function copyScreenshot(viewer: Viewer): Promise<string> {
  try {
    // The promise goes in, not the picture: Safari wants the call within the person's click.
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': take(viewer) })]);
    return 'Screenshot copied.';
  } catch (error) {
    return sentenceOf(error);
  }
}

const sentenceOf = (error: unknown): string =>
  error instanceof DOMException
    ? 'This browser does not let the page use the clipboard.'
    : error instanceof Error
      ? error.message
      : 'The screenshot could not be taken.';
