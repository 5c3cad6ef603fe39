import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import t from 'tap';
import { lowPriority, threadOf, yieldThread } from '../../server/flow/thread-priority.ts';

/** How nice a thread of this process is (proc(5): field 19 of `stat`, counted from behind the name). */
function niceOf(thread: number): number {
  const [, rest = ''] = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ');
  return Number(rest.split(' ')[16]);
}

const linux = process.platform === 'linux' ? {} : { skip: 'threads have a priority of their own on Linux alone' };

t.test('a thread lowers its own priority, and that of no other', linux, async (t) => {
  const worker = new Worker(new URL('../support/yielding-thread.mjs', import.meta.url));
  const [{ lowered, link }] = await once(worker, 'message');
  const thread = threadOf(link);
  t.equal(lowered, true);
  t.not(thread, process.pid);
  t.equal(niceOf(thread), lowPriority());
  t.equal(niceOf(process.pid), getPriority());
  t.ok(lowPriority() > getPriority());
  worker.postMessage('end');
  await once(worker, 'exit');
});

t.test('a system that tells nothing of its threads leaves them as they are', async (t) => {
  const { platform } = process;
  Object.defineProperty(process, 'platform', { value: 'darwin' });
  t.teardown(() => Object.defineProperty(process, 'platform', { value: platform }));
  t.equal(yieldThread(), false);
});
