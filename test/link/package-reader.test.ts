import t from 'tap';
import type { Port } from '../../server/link/messages.ts';
import {
  type PackageAnswer,
  type PackageQuestion,
  PackageReader,
  PackageRefused,
} from '../../server/link/package-reader.ts';
import { FakeClock, settled } from '../support/fake-clock.ts';

const APP = { platform: 'ios', identifier: 'a.b', name: 'A', version: '1', urlSchemes: [], linkedHosts: [] } as const;
const READ = { checksum: 'c'.repeat(64), app: APP };

/** The far end of one thread, in the test's hands. */
class FakeThread implements Port<PackageQuestion, PackageAnswer> {
  readonly asked: PackageQuestion[] = [];
  closed = false;
  #receive: (batch: readonly PackageAnswer[]) => void = () => undefined;
  #died: (reason: string) => void = () => undefined;

  send(batch: readonly PackageQuestion[]): void {
    this.asked.push(...batch);
  }

  onReceive(listener: (batch: readonly PackageAnswer[]) => void): void {
    this.#receive = listener;
  }

  onClosed(listener: (reason: string) => void): void {
    this.#died = listener;
  }

  async close(): Promise<void> {
    this.closed = true;
  }

  answer(
    call: number,
    more: { kind: 'read' } | { kind: 'refused' | 'failed'; message: string } = { kind: 'read' },
  ): void {
    this.#receive([more.kind === 'read' ? { kind: 'read', call, read: READ } : { ...more, call }]);
  }

  die(): void {
    this.#died('exit code 1');
  }
}

function open() {
  const threads: FakeThread[] = [];
  const clock = new FakeClock();
  const reader = new PackageReader(() => {
    const thread = new FakeThread();
    threads.push(thread);
    return thread;
  }, clock);
  const thread = (index = threads.length - 1): FakeThread => {
    const found = threads[index];
    if (!found) throw new Error('no thread was started');
    return found;
  };
  return { reader, threads, clock, thread };
}

const outcome = (work: Promise<unknown>): Promise<unknown> => work.catch((error) => error);

t.test('a thread starts with the first package, and serves the next ones too, one at a time', async (t) => {
  const { reader, threads, thread } = open();
  t.equal(threads.length, 0);
  const first = reader.read('/one', 10);
  const second = reader.read('/two', 10);
  t.same(thread().asked, [{ call: 1, path: '/one' }]);
  thread().answer(1);
  t.same(await first, READ);
  t.same(thread().asked.at(-1), { call: 2, path: '/two' });
  thread().answer(2);
  t.same(await second, READ);
  t.equal(threads.length, 1);
});

t.test('an unsound package is told from a fault of ours', async (t) => {
  const { reader, thread } = open();
  const refused = outcome(reader.read('/one', 10));
  thread().answer(1, { kind: 'refused', message: 'It is no app.' });
  const failed = outcome(reader.read('/two', 10));
  await settled();
  thread().answer(2, { kind: 'failed', message: 'EIO' });
  t.ok((await refused) instanceof PackageRefused);
  t.match(await refused, { message: 'It is no app.' });
  t.notOk((await failed) instanceof PackageRefused);
});

t.test('a package that makes the thread hang is refused; the next one gets a new thread', async (t) => {
  const { reader, clock, thread, threads } = open();
  const hanging = outcome(reader.read('/hangs', 1_000_000_000));
  const next = reader.read('/next', 10);
  await clock.advance(69_999);
  await settled();
  t.equal(threads.length, 1, 'large files have more time');
  await clock.advance(2);
  t.ok((await hanging) instanceof PackageRefused);
  t.match(await hanging, { message: /takes too long/ });
  t.equal(thread(0).closed, true);
  t.same(thread(1).asked, [{ call: 2, path: '/next' }]);
  thread(0).answer(2, { kind: 'failed', message: 'from the thread that was given up' });
  thread(1).answer(2);
  t.same(await next, READ);
});

t.test('a package that kills the thread is refused; the next one gets a new thread', async (t) => {
  const { reader, thread, threads } = open();
  const deadly = outcome(reader.read('/deadly', 10));
  const next = reader.read('/next', 10);
  thread().die();
  t.ok((await deadly) instanceof PackageRefused);
  t.equal(threads.length, 2);
  thread(0).die();
  thread(1).answer(2);
  t.same(await next, READ, 'a death that is told late harms nobody');
});

t.test('a thread that dies with nothing to do is replaced when there is', async (t) => {
  const { reader, thread, threads } = open();
  const first = reader.read('/one', 10);
  thread().answer(1);
  await first;
  thread().die();
  t.equal(threads.length, 1);
  const second = reader.read('/two', 10);
  thread(1).answer(2);
  t.same(await second, READ);
});

t.test('closing ends what runs and what waits, and the thread', async (t) => {
  const { reader, thread } = open();
  const all = [reader.read('/one', 10), reader.read('/two', 10)].map(outcome);
  void reader.close();
  for (const error of await Promise.all(all)) t.match(error, { message: /closed/ });
  t.equal(thread().closed, true);
  t.match(await outcome(reader.read('/three', 10)), { message: /closed/ });
});
