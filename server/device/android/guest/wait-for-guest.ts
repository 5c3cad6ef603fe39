import { DeviceFault } from '../../fault.ts';
import type { GuestShell } from '../adb/guest-shell.ts';

/** A cold boot on a slow machine. */
const BOOT_MS_MAX = 180_000;
const POLL_MS = 500;
const ASK_MS_MAX = 5_000;

/** Resolves when the guest has booted; rejects with an `unavailable` fault when that takes too long. */
export async function waitForGuest(shell: GuestShell): Promise<void> {
  const untilMs = performance.now() + BOOT_MS_MAX;
  for (;;) {
    const answer = await shell
      .run(['getprop', 'sys.boot_completed'], { timeoutMs: ASK_MS_MAX })
      .catch((error) => error);
    if (!(answer instanceof Error) && answer.output.trim() === '1') return;
    if (performance.now() > untilMs) {
      const why = answer instanceof Error ? answer.message : 'it has not finished booting';
      throw new DeviceFault('unavailable', `The device does not become usable: ${why}`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
