import t from 'tap';
import { FairSemaphore } from '../../server/flow/fair-semaphore.ts';
import { settled } from '../support/fake-clock.ts';

/** Works that end when they are told to. */
function open({ runningMax = 1, waitingMax = 8 } = {}) {
  const semaphore = new FairSemaphore({ runningMax, waitingMax, onFull: () => new Error('full') });
  const began: string[] = [];
  const running = new Map<string, () => void>();
  const refused: string[] = [];
  const ask = (name: string, source = name.charAt(0), part = '') => {
    const work = () =>
      new Promise<void>((resolve) => {
        began.push(name);
        running.set(name, resolve);
      });
    return semaphore.run({ source, part }, work).catch(() => void refused.push(name));
  };
  const end = async (name = [...running.keys()][0] ?? '') => {
    running.get(name)?.();
    running.delete(name);
    await settled();
  };
  return { semaphore, began, running, refused, ask, end };
}

t.test('as many run as may, and one of each source', async (t) => {
  const { began, ask, end } = open({ runningMax: 2 });
  for (const name of ['a1', 'a2', 'b1', 'c1']) void ask(name);
  await settled();
  t.same(began, ['a1', 'b1']);
  await end('b1');
  t.same(began, ['a1', 'b1', 'c1'], 'a second of the first source waits for its first');
  await end('a1');
  t.same(began.at(-1), 'a2');
});

t.test('however many one source has waiting, another is behind one of each', async (t) => {
  const { began, ask, end } = open({ waitingMax: 100 });
  for (let n = 0; n < 50; n++) void ask(`a${n}`);
  for (let n = 0; n < 5; n++) void ask(`b${n}`);
  void ask('c');
  for (let n = 0; n < 12; n++) await end();
  t.same(began.slice(0, 12), ['a0', 'a1', 'b0', 'c', 'a2', 'b1', 'a3', 'b2', 'a4', 'b3', 'a5', 'b4']);
});

t.test('parts of one source take turns, too', async (t) => {
  const { began, ask, end } = open();
  for (const name of ['x1', 'x2', 'x3', 'x4']) void ask(name, 'office', 'hostile');
  void ask('y1', 'office', 'other');
  for (let n = 0; n < 5; n++) await end();
  t.same(began, ['x1', 'x2', 'y1', 'x3', 'x4']);
});

t.test('where too many wait, the newest of whoever has most gives way, and nobody else', async (t) => {
  const { began, refused, ask, end } = open({ waitingMax: 4 });
  for (const name of ['a0', 'a1', 'a2', 'a3', 'a4']) void ask(name);
  void ask('a5');
  await settled();
  t.same(refused, ['a5'], 'who fills the room cannot wait');
  void ask('b1');
  void ask('b2');
  await settled();
  t.same(refused, ['a5', 'a4', 'a3']);
  void ask('b3');
  await settled();
  t.same(refused, ['a5', 'a4', 'a3', 'b3'], 'one that would have most itself does not displace others');
  for (let n = 0; n < 5; n++) await end();
  t.same(began, ['a0', 'a1', 'b1', 'a2', 'b2']);
});

t.test('work that fails gives its turn on, and the failure is its own', async (t) => {
  const { semaphore, began, ask } = open();
  const failed = semaphore.run({ source: 'a', part: '' }, async () => {
    throw new Error('broken');
  });
  void ask('b');
  await t.rejects(failed, { message: 'broken' });
  await settled();
  t.same(began, ['b']);
});
