import v8 from 'node:v8';
import vm from 'node:vm';
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads';

/**
 * Loaded into a server and its threads before their own code. It reports to the bench the size of each thread's heap after a
 * collection, and the resources that keep the main thread's event loop alive. It does not keep the process alive itself.
 */
const CHANNEL = 'bench-memory';
/** Maximum time in which a busy thread answers; one that has ended never does. */
const THREADS_MS = 2_000;

v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc');
const channel = new BroadcastChannel(CHANNEL);

/** Bytes in this thread's heap and in its external buffers. */
function heapBytes() {
  // The second pass collects objects that the finalizers of the first one released.
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

if (isMainThread && process.channel) {
  const threads = new Set();
  let answered = () => undefined;
  channel.onmessage = ({ data: { kind, thread, bytes } }) => {
    if (kind === 'begun') threads.add(thread);
    if (kind === 'ended') threads.delete(thread);
    if (kind === 'heap') answered(thread, bytes);
  };
  const hostHeaps = () =>
    new Promise((resolve) => {
      const heaps = new Map();
      const wanted = new Set(threads);
      const settle = () => resolve([...heaps.values()].reduce((sum, bytes) => sum + bytes, 0));
      if (wanted.size === 0) return settle();
      const timer = setTimeout(() => {
        for (const thread of wanted) if (!heaps.has(thread)) threads.delete(thread);
        settle();
      }, THREADS_MS);
      answered = (thread, bytes) => {
        heaps.set(thread, bytes);
        if ([...wanted].some((each) => !heaps.has(each))) return;
        clearTimeout(timer);
        settle();
      };
      channel.postMessage({ kind: 'heap?' });
    });
  process.on('message', async (question) => {
    if (question !== 'memory') return;
    const threadHeapBytes = await hostHeaps();
    const handles = process.getActiveResourcesInfo().length;
    const mainHeapBytes = heapBytes();
    process.send?.({ mainHeapBytes, threadHeapBytes, threads: threads.size, handles });
  });
  // The listener must not keep the process alive: the service has to end as it does without it.
  process.channel.unref();
} else if (!isMainThread) {
  channel.onmessage = ({ data: { kind } }) => {
    if (kind === 'heap?') channel.postMessage({ kind: 'heap', thread: threadId, bytes: heapBytes() });
  };
  process.once('exit', () => channel.postMessage({ kind: 'ended', thread: threadId }));
  channel.postMessage({ kind: 'begun', thread: threadId });
}
channel.unref();
