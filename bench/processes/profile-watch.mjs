import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join } from 'node:path';
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads';

/**
 * Loaded into a server and its threads before their own code. It profiles the time and memory of each thread from the bench's
 * first order to its second one. It does not keep the process alive.
 */
const CHANNEL = 'bench-profile';
const CPU_INTERVAL_US = 250;
const HEAP_INTERVAL_BYTES = 32_768;
/** Maximum time in which a busy thread writes its profiles; one that has ended never does. */
const THREADS_MS = 10_000;

// A profile names functions by their file: the sources tell more than the bundle of them.
globalThis[Symbol.for('runcloud.sources')] = true;

const channel = new BroadcastChannel(CHANNEL);
const session = new Session();
session.connect();

const ask = (method, params) =>
  new Promise((resolve, reject) => {
    session.post(method, params, (error, answer) => (error ? reject(error) : resolve(answer)));
  });

let begun = false;

async function begin() {
  if (begun) return;
  begun = true;
  await ask('Profiler.enable');
  await ask('Profiler.setSamplingInterval', { interval: CPU_INTERVAL_US });
  await ask('Profiler.start');
  // Also counts objects that have been collected since, because they cost time of the garbage collector.
  const collected = { includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true };
  await ask('HeapProfiler.startSampling', { samplingInterval: HEAP_INTERVAL_BYTES, ...collected });
}

async function end(dir) {
  if (!begun) return;
  begun = false;
  const { profile: cpu } = await ask('Profiler.stop');
  const { profile: heap } = await ask('HeapProfiler.stopSampling');
  const path = join(dir, `${process.pid}-${isMainThread ? 'gateway' : `thread-${threadId}`}`);
  writeFileSync(`${path}.cpuprofile`, JSON.stringify(cpu));
  writeFileSync(`${path}.heapprofile`, JSON.stringify(heap));
}

if (isMainThread && process.channel) {
  const threads = new Set();
  const written = new Set();
  let told = () => undefined;
  channel.onmessage = ({ data: { kind, thread } }) => {
    if (kind === 'started') {
      threads.add(thread);
      if (begun) channel.postMessage({ kind: 'begin' });
    }
    if (kind === 'gone') threads.delete(thread);
    if (kind === 'written') written.add(thread);
    told();
  };
  const allWritten = () =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, THREADS_MS);
      told = () => {
        if ([...threads].some((thread) => !written.has(thread))) return;
        clearTimeout(timer);
        resolve();
      };
      told();
    });
  process.on('message', async (order) => {
    if (order === 'profile') {
      await begin();
      channel.postMessage({ kind: 'begin' });
      process.send?.('profiling');
    } else if (order?.profileTo !== undefined) {
      written.clear();
      channel.postMessage({ kind: 'end', dir: order.profileTo });
      await Promise.all([end(order.profileTo), allWritten()]);
      process.send?.('profiled');
    }
  });
  // The listener must not keep the process alive: the service has to end as it does without it.
  process.channel.unref();
} else if (!isMainThread) {
  channel.onmessage = async ({ data: { kind, dir } }) => {
    if (kind === 'begin') await begin();
    if (kind !== 'end') return;
    await end(dir);
    channel.postMessage({ kind: 'written', thread: threadId });
  };
  process.once('exit', () => channel.postMessage({ kind: 'gone', thread: threadId }));
  channel.postMessage({ kind: 'started', thread: threadId });
}
channel.unref();
