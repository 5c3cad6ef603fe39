/**
 * Throws an error that has no handler on the next microtask, so that it ends the thread like any uncaught exception.
 */
export function throwUncaught(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
