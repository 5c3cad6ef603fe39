import v8 from 'node:v8';
import vm from 'node:vm';
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads';

/**
 * Loaded into a server and its threads before their own code: tells the bench what each thread's heap holds after a
 * collection, and what keeps the main thread's loop alive. The process ends by itself as it always does.
 */
const CHANNEL = 'bench-memory';
/** What a thread that is busy takes to answer; one that has ended never does. */
const THREADS_MS = 2_000;

v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc');
const channel = new BroadcastChannel(CHANNEL);

/** Bytes that live in this thread's heap or hang on it. */
function heapBytes() {
  // The second pass takes what the first one's finalizers let go.
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
  // To listen keeps the process alive; the service is to end by itself.
  process.channel.unref();
} else if (!isMainThread) {
  channel.onmessage = ({ data: { kind } }) => {
    if (kind === 'heap?') channel.postMessage({ kind: 'heap', thread: threadId, bytes: heapBytes() });
  };
  process.once('exit', () => channel.postMessage({ kind: 'ended', thread: threadId }));
  channel.postMessage({ kind: 'begun', thread: threadId });
}
channel.unref();
