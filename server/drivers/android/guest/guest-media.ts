import type { DeviceMedia } from '../../../device/driver.ts';
import { DeviceFault } from '../../../device/fault.ts';
import { systemClock } from '../../../flow/clock.ts';
import { poll } from '../../../flow/poll.ts';
import { sendFile } from '../adb/file-sync.ts';
import type { GuestShell } from '../adb/guest-shell.ts';

/** A folder of this service's alone, below the one that the library takes pictures and videos from. */
const FOLDER = '/sdcard/DCIM/RunCloud-session';
const SCAN = 'android.intent.action.MEDIA_SCANNER_SCAN_FILE';
const LIBRARIES = ['content://media/external/images/media', 'content://media/external/video/media'] as const;
/** The scanner reads a file within moments; a video of some megabytes takes longer. */
const SCANNED = { everyMs: 100, forMs: 10_000 } as const;

/** The photo library of a device: files that adb brings, and the media provider takes. */
export const guestMedia = (shell: GuestShell): DeviceMedia => ({
  add: async ({ name, mediaType, file }, signal) => {
    const path = `${FOLDER}/${name}`;
    await sendFile(shell, path, file, signal);
    await shell.must(['am', 'broadcast', '-a', SCAN, '-d', `file://${path}`], { signal });
    const library = LIBRARIES[mediaType.startsWith('image/') ? 0 : 1];
    const isThere = () => hasRow(shell, library, name, signal);
    if (await poll(systemClock, { ...SCANNED, signal }, isThere)) return { readBack: true };
    throw new DeviceFault('failed', `The device has the file, and its photo library does not take it as ${mediaType}.`);
  },
});

/** Removes what sessions have added, and their rows in the library. */
export async function removeMedia(shell: GuestShell): Promise<void> {
  const { exitCode } = await shell.run(['ls', '-d', FOLDER]);
  if (exitCode !== 0) return;
  for (const library of LIBRARIES) {
    await shell.run(['content', 'delete', '--uri', library, '--where', `_data LIKE '%/DCIM/RunCloud-session/%'`]);
  }
  await shell.must(['rm', '-rf', FOLDER]);
}

async function hasRow(shell: GuestShell, library: string, name: string, signal: AbortSignal): Promise<boolean> {
  const where = `_display_name='${name}'`;
  const words = ['content', 'query', '--uri', library, '--projection', '_display_name', '--where', where];
  return (await shell.run(words, { signal })).output.includes(`_display_name=${name}`);
}
