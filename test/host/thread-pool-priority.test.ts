import { readdirSync, readFileSync } from 'node:fs';
import t from 'tap';
import { yieldThreadPool } from '../../server/host/thread-pool-priority.ts';

/** How nice each thread of this process is (proc(5): field 19 of `stat`, counted from behind the name). */
function niceness(): Map<number, number> {
  const found = readdirSync('/proc/self/task').map((thread) => {
    const [, rest = ''] = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ');
    return [Number(thread), Number(rest.split(' ')[16])] as const;
  });
  return new Map(found);
}

const linux = process.platform === 'linux' ? {} : { skip: 'threads have a priority of their own on Linux alone' };

t.test('the threads of the pool give way, and no other', linux, async (t) => {
  const before = niceness();
  const found = await yieldThreadPool();
  const lowered = [...niceness()].filter(
    ([thread, nice]) => nice > (before.get(thread) ?? before.get(process.pid) ?? 0),
  );
  t.ok(found > 0 && found <= 4, `${found} threads`);
  t.equal(lowered.length, found);
  t.notOk(
    lowered.some(([thread]) => thread === process.pid),
    'the thread that asks keeps its own',
  );
  await yieldThreadPool();
  t.equal(new Set(niceness().values()).size, 2, 'to ask twice lowers nothing further');
});

t.test('a system that tells nothing of its threads leaves them as they are', async (t) => {
  const { platform } = process;
  Object.defineProperty(process, 'platform', { value: 'darwin' });
  t.teardown(() => Object.defineProperty(process, 'platform', { value: platform }));
  t.equal(await yieldThreadPool(), 0);
});
