/** For faults that nobody was named to hear: the thread ends of them, as of every exception that nobody catches. */
export function unheard(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
