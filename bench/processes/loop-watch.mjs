import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into a server before its own code. It reports to the bench how long the main thread's event loop was blocked since
 * the last query: a timer of 1 ms is always due, and its delay is the time that something else took.
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
  // The listener must not keep the process alive: the service has to end as it does without it.
  process.channel.unref();
}
