import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into a server before its own code: tells the bench how long its main thread's event loop was held since it was
 * asked before. A timer of 1 ms is due all the time; what it comes late, something else took.
 */
const RESOLUTION_MS = 1;

if (isMainThread && process.channel) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  process.on('message', (question) => {
    if (question !== 'loop') return;
    const heldMs = (ns) => Math.max(0, ns / 1e6 - RESOLUTION_MS);
    process.send?.({ p99Ms: heldMs(delay.percentile(99)), maxMs: heldMs(delay.max) });
    delay.reset();
  });
  // To listen keeps the process alive; the service is to end by itself as it always does.
  process.channel.unref();
}
