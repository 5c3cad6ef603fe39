import type { GuestShell } from '../adb/guest-shell.ts';
import { PASTE_KEYCODE } from '../guest/key-codes.ts';
import type { GuestClipboard } from '../input-backend.ts';
import type { ControlClient } from './control-client.ts';

/** The clipboard that an emulator shares with its guest. */
export const emulatorClipboard = (client: Pick<ControlClient, 'setClipboard'>, shell: GuestShell): GuestClipboard => ({
  write: (text) => client.setClipboard(text),
  // The emulator's own keyboard has no such key.
  paste: async (signal) => void (await shell.must(['input', 'keyevent', String(PASTE_KEYCODE)], { signal })),
});
