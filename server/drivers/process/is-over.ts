/**
 * True when the process that left something behind is gone. A running process with its number that began later is
 * another one.
 * @param sinceMs when it left that, since the Unix epoch
 */
export function isOver(pid: number, sinceMs: number): boolean {
  if (pid === process.pid) return sinceMs < Date.now() - process.uptime() * 1_000;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // The process exists, and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
