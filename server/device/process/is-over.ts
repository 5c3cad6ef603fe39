/**
 * Whether the process that left something behind is gone. A process that has this one's number and was there before this
 * one began is another one.
 * @param sinceMs when it left that, since the Unix epoch
 */
export function isOver(pid: number, sinceMs: number): boolean {
  if (pid === process.pid) return sinceMs < Date.now() - process.uptime() * 1_000;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // Somebody else's process is there as well.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
