/**
 * The longest delay that the timers of Node.js and of browsers know, 24.8 days: what is longer overflows their 32 bits, and
 * they fire at once.
 */
export const TIMER_MS_MAX = 2_147_483_647;

/** The runtime's timers and a monotonic clock. */
export interface TimerParts<Handle> {
  nowMs(): number;
  set(task: () => void, delayMs: number): Handle;
  clear(handle: Handle): void;
}

/**
 * Runs `task` once after `delayMs`, however long that is; the returned function takes it back. What is past is due at once, and
 * `Infinity` never. Throws a `RangeError` for what is no number, which timers would take for "at once".
 */
export function startTimer<Handle>(delayMs: number, task: () => void, parts: TimerParts<Handle>): () => void {
  if (Number.isNaN(delayMs)) throw new RangeError('A timer needs a number of milliseconds');
  if (delayMs <= TIMER_MS_MAX) {
    const handle = parts.set(task, delayMs);
    return () => parts.clear(handle);
  }
  const dueMs = parts.nowMs() + delayMs;
  const arm = (): Handle => {
    const leftMs = dueMs - parts.nowMs();
    return leftMs <= TIMER_MS_MAX ? parts.set(task, leftMs) : parts.set(again, TIMER_MS_MAX);
  };
  const again = () => {
    handle = arm();
  };
  let handle = arm();
  return () => parts.clear(handle);
}
