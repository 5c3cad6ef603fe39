import t from 'tap';
import type { PackageAnswer, PackageQuestion } from '../../server/link/package-lines.ts';
import { PackageLate, PackageReader, PackageRefused } from '../../server/link/package-reader.ts';
import type { ProcessPort } from '../../server/link/process-port.ts';
import { FakeClock, settled } from '../support/fake-clock.ts';

const APP = { platform: 'ios', identifier: 'a.b', name: 'A', version: '1', urlSchemes: [], linkedHosts: [] } as const;
const READ = { checksum: 'c'.repeat(64), app: APP };

type Said = { kind: 'read' } | { kind: 'refused' | 'failed'; message: string; last?: boolean };

/** The far end of one process, in the test's hands. */
class FakeProcess implements ProcessPort<PackageQuestion, PackageAnswer> {
  readonly asked: PackageQuestion[] = [];
  closed = false;
  #receive: (batch: readonly PackageAnswer[]) => void = () => undefined;
  #died: (reason: string, lost: boolean) => void = () => undefined;

  send(batch: readonly PackageQuestion[]): void {
    this.asked.push(...batch);
  }

  onReceive(listener: (batch: readonly PackageAnswer[]) => void): void {
    this.#receive = listener;
  }

  onClosed(listener: (reason: string, lost: boolean) => void): void {
    this.#died = listener;
  }

  async close(): Promise<void> {
    this.closed = true;
  }

  get paths(): string[] {
    return this.asked.map(({ path }) => path);
  }

  ready(): void {
    this.#receive([{ kind: 'ready' }]);
  }

  answer(more: Said = { kind: 'read' }): void {
    const { call = 0 } = this.asked.at(-1) ?? {};
    this.#receive([more.kind === 'read' ? { kind: 'read', call, read: READ } : { ...more, call }]);
  }

  die(): void {
    this.#died('ended by SIGSEGV', false);
  }

  lose(): void {
    this.#died('its launcher ended: exit code 1', true);
  }
}

function open({ ready = true } = {}) {
  const processes: FakeProcess[] = [];
  const crashes: string[] = [];
  const clock = new FakeClock();
  const room = { full: false };
  const spawn = () => {
    if (room.full) throw new Error('spawn ENOMEM');
    const process = new FakeProcess();
    processes.push(process);
    if (ready) queueMicrotask(() => process.ready());
    return process;
  };
  const reader = new PackageReader({ spawn, clock, onCrash: (reason) => crashes.push(reason) });
  const process = (index = processes.length - 1): FakeProcess => {
    const found = processes[index];
    if (!found) throw new Error('no process was started');
    return found;
  };
  return { reader, processes, crashes, clock, process, room };
}

const outcome = (work: Promise<unknown>): Promise<unknown> => work.catch((error) => error);

t.test('a process starts with the first package, and serves the next ones of its account, one at a time', async (t) => {
  const { reader, processes, process } = open();
  t.equal(processes.length, 0);
  const first = reader.read('acme', '/one', 10);
  const second = reader.read('acme', '/two', 10);
  await settled();
  t.match(process(0).asked, [{ call: 1, path: '/one' }]);
  process(0).answer();
  t.same(await first, READ);
  t.match(process(0).asked.at(-1), { call: 2, path: '/two' });
  process(0).answer();
  t.same(await second, READ);
  t.same(process(1).paths, [], 'a second one is there for others');
});

t.test('it is started ahead where a package is on its way', async (t) => {
  const { reader, processes, process } = open();
  reader.warm();
  reader.warm();
  await settled();
  t.equal(processes.length, 1);
  void outcome(reader.read('acme', '/one', 10));
  await settled();
  t.same(process().paths, ['/one']);
  t.equal(processes.length, 1);
  for (let index = 0; index < 5; index++) reader.warm();
  t.equal(processes.length, 2, 'and another one, not more, while that is busy');
});

t.test(
  'accounts take turns: one with much to read holds one process, and delays the others by a package',
  async (t) => {
    const { reader, process, processes } = open();
    for (let index = 1; index <= 8; index++) void outcome(reader.read('slow', `/slow${index}`, 10));
    await settled();
    t.same(process(0).paths, ['/slow1']);
    t.same(process(1).paths, [], 'not more than one process for one account; the other one is ready for others');
    t.equal(processes.length, 2);
    void outcome(reader.read('one', '/one1', 10));
    void outcome(reader.read('two', '/two1', 10));
    void outcome(reader.read('one', '/one2', 10));
    await settled();
    t.same(process(1).paths, ['/one1'], 'at once, while the slow one is read');
    process(1).answer();
    await settled();
    t.same(process(1).paths, ['/one1', '/two1']);
    process(1).answer();
    await settled();
    t.same(process(1).paths, ['/one1', '/two1', '/one2']);
    process(1).answer();
    await settled();
    t.same(process(0).paths, ['/slow1'], 'the process that is free stays free for others');
    t.same(process(1).paths.length, 3);
    process(0).answer();
    await settled();
    t.same([...process(0).paths, ...process(1).paths].filter((path) => path.startsWith('/slow')).length, 2);
  },
);

t.test('an invalid package is told from a fault of ours', async (t) => {
  const { reader, process } = open();
  const refused = outcome(reader.read('acme', '/one', 10));
  await settled();
  process().answer({ kind: 'refused', message: 'It is no app.' });
  const failed = outcome(reader.read('acme', '/two', 10));
  await settled();
  process().answer({ kind: 'failed', message: 'EIO' });
  t.ok((await refused) instanceof PackageRefused);
  t.match(await refused, { message: 'It is no app.' });
  t.notOk((await failed) instanceof PackageRefused);
});

t.test(
  'a process that does not answer is given up as nobody’s fault, and the log knows; the next one gets a new process',
  async (t) => {
    const { reader, clock, process, crashes } = open();
    const hanging = outcome(reader.read('acme', '/hangs', 1_000_000));
    const next = reader.read('acme', '/next', 10);
    await settled();
    t.match(process(0).asked, [{ cpuMsMax: 2_050 }], 'larger files have more time');
    await clock.advance(59_999);
    await settled();
    t.equal(process(0).closed, false);
    await clock.advance(2);
    t.ok((await hanging) instanceof PackageLate);
    t.same(crashes, ['it does not answer after 60000 ms']);
    t.equal(process(0).closed, true);
    await settled();
    t.same(process(1).paths, ['/next']);
    process(0).answer({ kind: 'failed', message: 'from the process that was given up' });
    process(1).answer();
    t.same(await next, READ);
  },
);

t.test(
  'the time for starting is not the package’s, and a process that does not start is a fault of ours',
  async (t) => {
    const { reader, clock, process } = open({ ready: false });
    const slow = outcome(reader.read('acme', '/one', 10));
    await clock.advance(50_000);
    t.same(process().asked, []);
    process().ready();
    t.same(process().paths, ['/one']);
    process().answer();
    t.same(await slow, READ);
    process().die();
    const never = outcome(reader.read('acme', '/two', 10));
    await clock.advance(60_001);
    t.match(await never, { message: /does not start/ });
    t.notOk((await never) instanceof PackageRefused);
    const dead = outcome(reader.read('acme', '/three', 10));
    process().die();
    t.match(await dead, { message: /did not start: ended by SIGSEGV/ });
    t.notOk((await dead) instanceof PackageRefused);
  },
);

t.test(
  'a package that kills the process is refused and told to the log; the next one gets a new process',
  async (t) => {
    const { reader, process, processes, crashes } = open();
    const deadly = outcome(reader.read('acme', '/deadly', 10));
    const next = reader.read('acme', '/next', 10);
    await settled();
    process(0).die();
    t.ok((await deadly) instanceof PackageRefused);
    t.match(await deadly, { message: /ended the program that reads it/ });
    t.same(crashes, ['ended by SIGSEGV']);
    t.equal(processes.length, 2);
    process(0).die();
    await settled();
    process(1).answer();
    t.same(await next, READ, 'a death that is told late harms nobody');
    t.equal(crashes.length, 1);
  },
);

t.test(
  'a package whose process was lost with its launcher is not to blame; the next one gets a new process',
  async (t) => {
    const { reader, process, processes, crashes } = open();
    const lost = outcome(reader.read('acme', '/lost', 10));
    await settled();
    process(0).lose();
    t.ok((await lost) instanceof PackageLate);
    t.same(crashes, [], 'the log hears it from the launcher');
    const next = reader.read('acme', '/next', 10);
    await settled();
    t.equal(processes.length, 2);
    process(1).answer();
    t.same(await next, READ);
  },
);

t.test('a process whose last answer this is, or that dies with nothing to do, is replaced when there is', async (t) => {
  const { reader, process, processes } = open();
  const first = outcome(reader.read('acme', '/one', 10));
  await settled();
  process().answer({ kind: 'refused', message: 'The package takes too long to read.', last: true });
  t.ok((await first) instanceof PackageRefused);
  t.equal(process().closed, true);
  const second = reader.read('acme', '/two', 10);
  await settled();
  t.equal(processes.length, 2);
  process().answer();
  await second;
  process().die();
  const third = reader.read('acme', '/three', 10);
  await settled();
  t.equal(processes.length, 3);
  process().answer();
  t.same(await third, READ);
});

t.test('a process with nothing to do for a minute is let go', async (t) => {
  const { reader, process, processes, clock } = open();
  const first = reader.read('acme', '/one', 10);
  await settled();
  await clock.advance(9_000);
  process().answer();
  await first;
  await clock.advance(59_999);
  t.equal(process().closed, false);
  await clock.advance(2);
  t.equal(process().closed, true);
  void outcome(reader.read('acme', '/two', 10));
  t.equal(processes.length, 2);
});

t.test('closing ends what runs and what waits, and the processes', async (t) => {
  const { reader, process } = open();
  const all = ['acme', 'acme', 'other', 'third'].map((account) => outcome(reader.read(account, '/one', 10)));
  await settled();
  await reader.close();
  for (const error of await Promise.all(all)) t.match(error, { message: /closed/ });
  t.ok(process(0).closed && process(1).closed);
  t.match(await outcome(reader.read('acme', '/three', 10)), { message: /closed/ });
});

t.test(
  'where no process can be started, the packages that wait fail as a fault of ours, and later ones are read',
  async (t) => {
    const { reader, room, processes, process } = open();
    room.full = true;
    const failed = ['acme', 'acme', 'other'].map((account) => outcome(reader.read(account, '/one', 10)));
    for (const error of await Promise.all(failed)) {
      t.match(error, { message: /cannot be started: Error: spawn ENOMEM/ });
      t.notOk(error instanceof PackageRefused);
    }
    room.full = false;
    const read = reader.read('acme', '/two', 10);
    await settled();
    t.equal(processes.length, 1);
    process().answer();
    t.same(await read, READ);
  },
);

t.test('a process that cannot be started ahead is told to the log, and harms no package', async (t) => {
  const { reader, room, process, crashes } = open();
  const first = reader.read('acme', '/one', 10);
  await settled();
  room.full = true;
  const second = reader.read('acme', '/two', 10);
  reader.warm();
  await settled();
  t.match(crashes, [/cannot be started: Error: spawn ENOMEM/], 'once, however often it is wanted');
  t.equal(crashes.length, 1);
  process(0).answer();
  t.same(await first, READ);
  await settled();
  process(0).answer();
  t.same(await second, READ);
});

t.test('a process that ends before it is ready is not replaced at once, unless a package is to be read', async (t) => {
  const { reader, processes, process, clock } = open({ ready: false });
  const first = reader.read('acme', '/one', 10);
  process(0).ready();
  const second = outcome(reader.read('acme', '/two', 10));
  t.equal(processes.length, 2, 'a spare one');
  process(1).die();
  await settled();
  reader.warm();
  t.equal(processes.length, 2, 'none in its place for now');
  const other = outcome(reader.read('other', '/three', 10));
  t.equal(processes.length, 3, 'but for a package of somebody else');
  process(2).die();
  t.match(await other, { message: /did not start/ });
  t.equal(processes.length, 3);
  await clock.advance(1_001);
  reader.warm();
  t.equal(processes.length, 4);
  process(0).answer();
  t.same(await first, READ);
  await reader.close();
  t.match(await second, { message: /closed/ });
});

t.test('a large package is waited for in proportion to its size', async (t) => {
  const { reader, clock, process } = open();
  const large = outcome(reader.read('acme', '/large', 1_000_000_000));
  await settled();
  t.match(process().asked, [{ cpuMsMax: 52_000 }]);
  await clock.advance(259_999);
  t.equal(process().closed, false);
  await clock.advance(2);
  t.ok((await large) instanceof PackageLate);
});

t.test('a process that says again that it is ready gets no more time: its package is refused', async (t) => {
  const { reader, clock, process, crashes } = open();
  const endless = outcome(reader.read('acme', '/endless', 10));
  await settled();
  await clock.advance(10_000);
  process().ready();
  t.ok((await endless) instanceof PackageRefused);
  t.same(crashes, ['it said twice that it is ready']);
  t.equal(process().closed, true);
  t.equal(process().asked.length, 1, 'and it is not asked twice');
});
