import { DeviceFault } from '../../../device/fault.ts';
import { systemClock } from '../../../flow/clock.ts';
import { poll } from '../../../flow/poll.ts';
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
  let lost = false;
  const ask = async () => {
    // adb calls a device connected for a moment after it hung up, and connects no emulator again by itself.
    if (lost) await reconnect();
    const answer = await shell
      .run(['getprop', 'sys.boot_completed'], { timeoutMs: ASK_MS_MAX })
      .then(({ output }) => output.trim())
      .catch((error: Error) => error);
    lost = answer instanceof Error;
    return answer;
  };
  const answer = await poll(systemClock, { everyMs: POLL_MS, forMs: limitMs, signal }, ask, (answer) => answer === '1');
  if (answer === '1') return;
  const why = answer instanceof Error ? answer.message : 'it has not finished booting';
  throw new DeviceFault('unavailable', `The device does not become usable: ${why}`);
}
