import type { GuestShell } from './adb/guest-shell.ts';

/** How often a device that a session has is asked whether it lives. */
const INTERVAL_MS = 5_000;
const ASK_MS_MAX = 5_000;
/** A busy guest may miss one. */
const FAILURES_MAX = 2;

/** Asks the guest now and then for a sign of life; tells once when none comes. Returns what ends it. */
export function watchHealth(shell: GuestShell, onLost: (reason: string) => void): () => void {
  let failures = 0;
  let stopped = false;
  let timer: NodeJS.Timeout;
  const ask = async () => {
    try {
      await shell.run(['getprop', 'sys.boot_completed'], { timeoutMs: ASK_MS_MAX });
      failures = 0;
    } catch (error) {
      failures++;
      if (!stopped && failures >= FAILURES_MAX) {
        stopped = true;
        return onLost(error instanceof Error ? error.message : String(error));
      }
    }
    if (!stopped) askLater(failures > 0 ? INTERVAL_MS / 5 : INTERVAL_MS);
  };
  const askLater = (delayMs: number) => {
    timer = setTimeout(() => void ask(), delayMs);
    timer.unref();
  };
  askLater(INTERVAL_MS);
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
