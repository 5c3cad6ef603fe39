import { monitorEventLoopDelay } from 'node:perf_hooks';
import v8 from 'node:v8';
import vm from 'node:vm';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into a server before its own code. At SIGUSR2 it tells on its standard error, in a line of JSON, for how many
 * milliseconds its main thread's event loop was held at most since it told last; at SIGPWR, how many bytes live in that
 * thread's heap or hang on it after a collection.
 */
const RESOLUTION_MS = 1;

if (isMainThread) {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc');
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const tell = (told) => process.stderr.write(`${JSON.stringify(told)}\n`);
  delay.enable();
  process.on('SIGUSR2', () => {
    tell({ heldMs: Math.max(0, delay.max / 1e6 - RESOLUTION_MS) });
    delay.reset();
  });
  process.on('SIGPWR', () => {
    // The second pass takes what the first one's finalizers let go.
    collect();
    collect();
    const { heapUsed, external } = process.memoryUsage();
    tell({ heapBytes: heapUsed + external });
  });
}
