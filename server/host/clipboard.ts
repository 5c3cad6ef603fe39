import type { ClipboardText } from '@runcloud/protocol';
import { LIMITS } from '@runcloud/protocol/terms';
import type { Device } from '../device/driver.ts';
import { DeviceFault } from '../device/fault.ts';
import type { Clock } from '../flow/clock.ts';

/** Changes that follow each other within this time are told once. */
const TOLD_AFTER_MS = 100;

/**
 * Reads a device's clipboard, after writing a text to it if there is one. What is read is the device's own word: it may have
 * taken another text.
 */
export async function accessClipboard(
  { clipboard }: Pick<Device, 'clipboard'>,
  text: string | undefined,
  signal: AbortSignal,
): Promise<ClipboardText> {
  if (!clipboard) throw new DeviceFault('unsupported', 'The clipboard is not supported by this device.');
  if (text !== undefined) await clipboard.write(text, signal);
  if (signal.aborted) throw new DeviceFault('aborted', 'Using the clipboard was ended.');
  return bounded(await clipboard.read(signal));
}

/** Calls `tell` soon after each change, at most ten times a second. */
export function followClipboard({ clipboard }: Pick<Device, 'clipboard'>, clock: Clock, tell: () => void): void {
  let isDue = false;
  clipboard?.onChange?.(() => {
    if (isDue) return;
    isDue = true;
    clock.schedule(TOLD_AFTER_MS, () => {
      isDue = false;
      tell();
    });
  });
}

function bounded(text: string): ClipboardText {
  let count = 0;
  let end = 0;
  for (const character of text) {
    if (++count > LIMITS.clipboardCharacters.max) return { text: text.slice(0, end), truncated: true };
    end += character.length;
  }
  return { text };
}
