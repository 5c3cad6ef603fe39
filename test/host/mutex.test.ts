import t from 'tap';
import { DeviceFault } from '../../server/device/fault.ts';
import { Mutex } from '../../server/host/mutex.ts';
import { LazyAbort } from '../../server/link/lazy-abort.ts';
import { settled } from '../support/fake-clock.ts';
import { deferred } from '../support/scripted-device.ts';

const ABORTED = { name: 'DeviceFault', kind: 'aborted' };

/** Inputs by name, each of which the test ends. */
function open() {
  const mutex = new Mutex();
  const begun: string[] = [];
  const take = (name: string) => {
    const abort = new LazyAbort();
    const { promise, resolve, reject } = deferred<string>();
    const done = mutex.run(abort, () => {
      begun.push(name);
      return promise;
    });
    done.catch(() => undefined);
    return { abort, done, end: () => resolve(name), fail: () => reject(new DeviceFault('failed', name)) };
  };
  return { begun, take };
}

t.test('the first begins at once, the others one at a time in their order', async (t) => {
  const { begun, take } = open();
  const inputs = ['a', 'b', 'c'].map(take);
  t.strictSame(begun, ['a']);
  for (const [index, { end, done }] of inputs.entries()) {
    t.equal(begun.length, index + 1);
    end();
    t.equal(await done, begun[index]);
    await settled();
  }
  t.strictSame(begun, ['a', 'b', 'c']);
});

t.test('a failure passes the turn on, and so does an action that throws at once', async (t) => {
  const { begun, take } = open();
  const [first, second] = [take('a'), take('b')];
  first.fail();
  await t.rejects(first.done, { message: 'a' });
  await settled();
  t.strictSame(begun, ['a', 'b']);
  second.end();
  await second.done;
  const mutex = new Mutex();
  const broken = () => {
    throw new Error('broken');
  };
  await t.rejects(mutex.run(new LazyAbort(), broken), { message: 'broken' });
  t.equal(await mutex.run(new LazyAbort(), async () => 'next'), 'next');
});

t.test('a task that is aborted while it waits ends at once and never begins, whoever holds the mutex', async (t) => {
  const { begun, take } = open();
  const [first, second, third] = [take('a'), take('b'), take('c')];
  second.abort.abort();
  await t.rejects(second.done, ABORTED);
  t.strictSame(begun, ['a']);
  first.end();
  await settled();
  t.strictSame(begun, ['a', 'c']);
  third.end();
  t.equal(await third.done, 'c');
});

t.test('a task that is aborted before it waits is refused, and one that has begun is not interrupted', async (t) => {
  const { begun, take } = open();
  const first = take('a');
  const late = new LazyAbort();
  late.abort();
  const mutex = new Mutex();
  void mutex.run(new LazyAbort(), () => first.done);
  await t.rejects(
    mutex.run(late, async () => 'never'),
    ABORTED,
  );
  first.abort.abort();
  await settled();
  t.strictSame(begun, ['a']);
  first.end();
  t.equal(await first.done, 'a');
});

t.test('nobody who comes while the turn is handed on gets ahead of those who wait', async (t) => {
  const { begun, take } = open();
  const [first, second] = [take('a'), take('b')];
  let third: ReturnType<typeof take> | undefined;
  void first.done.then(() => {
    third = take('c');
  });
  first.end();
  await settled();
  t.strictSame(begun, ['a', 'b']);
  second.end();
  await settled();
  t.strictSame(begun, ['a', 'b', 'c']);
  third?.end();
  t.equal(await third?.done, 'c');
});
