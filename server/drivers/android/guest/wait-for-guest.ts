import { DeviceFault } from '../../../device/fault.ts';
import type { GuestShell } from '../adb/guest-shell.ts';

const POLL_MS = 500;
const ASK_MS_MAX = 5_000;

export interface GuestWait {
  /** How long the guest may take. */
  readonly limitMs: number;
  /** Makes a connection to the guest again that was lost; what it rejects with ends the wait. */
  readonly reconnect: () => Promise<void>;
  /** Ends the wait with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Resolves when the guest has booted; rejects with an `unavailable` fault when that takes too long or the device does
 * not answer.
 */
export async function waitForGuest(shell: GuestShell, { limitMs, reconnect, signal }: GuestWait): Promise<void> {
  const untilMs = performance.now() + limitMs;
  for (;;) {
    const answer = await shell
      .run(['getprop', 'sys.boot_completed'], { timeoutMs: ASK_MS_MAX })
      .catch((error) => error);
    if (!(answer instanceof Error) && answer.output.trim() === '1') return;
    signal?.throwIfAborted();
    if (performance.now() > untilMs) {
      const why = answer instanceof Error ? answer.message : 'it has not finished booting';
      throw new DeviceFault('unavailable', `The device does not become usable: ${why}`);
    }
    // adb calls a device connected for a moment after it hung up, and connects no emulator again by itself.
    if (answer instanceof Error) await reconnect();
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
