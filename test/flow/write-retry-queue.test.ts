import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import t from 'tap';
import { WriteRetryQueue } from '../../server/flow/write-retry-queue.ts';
import { FakeClock, settled } from '../support/fake-clock.ts';
import { standing } from '../support/session-arena.ts';

function open() {
  const clock = new FakeClock();
  const faults: unknown[] = [];
  const persistence = new WriteRetryQueue({ clock, random: () => 1, onFault: (error) => void faults.push(error) });
  /** Storage as the test has it; tells which writes came, and when. */
  const disk = { broken: false, asked: [] as string[], kept: [] as string[] };
  const write = (name: string) => () => {
    disk.asked.push(`${name} ${clock.monotonicMs()}`);
    if (disk.broken) throw new ServiceError('store_unavailable');
    disk.kept.push(name);
    return name;
  };
  return { clock, faults, persistence, disk, write };
}

t.test('a write that succeeds is made before the call returns', async (t) => {
  const { persistence, disk, write, clock } = open();
  const kept = persistence.writeEventually('a', write('one'));
  t.strictSame(disk.kept, ['one']);
  t.equal(await kept, 'one');
  t.equal(persistence.hasPending('a'), false);
  t.equal(clock.waiting, 0);
});

t.test(
  'while storage is in trouble one write asks for all, less and less often, and all are made in order',
  async (t) => {
    const { persistence, disk, write, clock, faults } = open();
    disk.broken = true;
    const writes = ['a', 'b', 'a'].map((id, index) => persistence.writeEventually(id, write(`${id}${index}`)));
    t.strictSame(disk.asked, ['a0 1000']);
    t.ok(persistence.hasPending('a') && persistence.hasPending('b') && !persistence.hasPending('c'));
    await clock.advance(10_000);
    const times = disk.asked.map((line) => Number(line.split(' ')[1]));
    t.strictSame(
      times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0)),
      [50, 100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000],
    );
    t.ok(disk.asked.every((line) => line.startsWith('a0')));
    t.equal(faults.length, 1, 'told once');
    disk.broken = false;
    await clock.advance(2_000);
    t.strictSame(await Promise.all(writes), ['a0', 'b1', 'a2']);
    t.strictSame(disk.kept, ['a0', 'b1', 'a2']);
    t.equal(clock.waiting, 0);
  },
);

t.test('a flush tries again at once, and later trouble is reported again', async (t) => {
  const { persistence, disk, write, clock, faults } = open();
  disk.broken = true;
  const first = persistence.writeEventually('a', write('one'));
  persistence.flush();
  t.equal(await standing(first), 'pending');
  disk.broken = false;
  persistence.flush();
  t.equal(await first, 'one');
  disk.broken = true;
  void persistence.writeEventually('a', write('two'));
  t.equal(faults.length, 2);
  t.equal(clock.waiting, 2, 'for the next try, and for the end of all patience');
});

t.test(
  'a caller stops waiting when a write of its own key has been pending for too long, and others keep waiting',
  async (t) => {
    const { persistence, disk, write, clock } = open();
    const never = new Promise<void>(() => undefined);
    const early = persistence.unlessHeldUp('a', never);
    const other = persistence.unlessHeldUp('b', never);
    disk.broken = true;
    const written = persistence.writeEventually('a', write('one'));
    await clock.advance(LIMITS.storeWaitMsMax - 1);
    t.equal(await standing(early), 'pending');
    await clock.advance(1);
    await early;
    t.equal(persistence.hasPending('a'), true);
    await persistence.unlessHeldUp('a', never);
    t.equal(await standing(other), 'pending');
    disk.broken = false;
    persistence.flush();
    t.equal(await written, 'one');
    const late = persistence.unlessHeldUp('a', never);
    await clock.advance(LIMITS.storeWaitMsMax);
    t.equal(await standing(late), 'pending', 'nothing holds it up any more');
    t.equal(clock.waiting, 0);
  },
);

t.test('a write behind one that has waited for too long is not waited for again', async (t) => {
  const { persistence, disk, write, clock } = open();
  const never = new Promise<void>(() => undefined);
  disk.broken = true;
  const first = persistence.writeEventually('a', write('one'));
  await clock.advance(LIMITS.storeWaitMsMax);
  const early = persistence.unlessHeldUp('b', never);
  const second = persistence.writeEventually('b', write('two'));
  await early;
  t.strictSame([persistence.hasPending('a'), persistence.hasPending('b')], [true, true]);
  disk.broken = false;
  persistence.flush();
  t.strictSame(await Promise.all([first, second]), ['one', 'two']);
});

t.test('work that ends first is what is waited for, failures included', async (t) => {
  const { persistence, disk, write } = open();
  disk.broken = true;
  void persistence.writeEventually('a', write('one'));
  await persistence.unlessHeldUp('a', Promise.resolve());
  await t.rejects(persistence.unlessHeldUp('a', Promise.reject(new Error('no device'))), { message: 'no device' });
});

t.test('an error that no waiting mends reaches its caller alone, and the next write has its turn', async (t) => {
  const { persistence, disk, write } = open();
  disk.broken = true;
  const waits = persistence.writeEventually('a', write('one'));
  const wrong = persistence.writeEventually('b', () => {
    throw new Error('no such move');
  });
  const last = persistence.writeEventually('c', write('three'));
  disk.broken = false;
  persistence.flush();
  await t.rejects(wrong, { message: 'no such move' });
  t.strictSame(await Promise.all([waits, last]), ['one', 'three']);
});

t.test('closing wakes whoever waits, and nothing is written after it', async (t) => {
  const { persistence, disk, write, clock } = open();
  disk.broken = true;
  const waits = persistence.writeEventually('a', write('one'));
  persistence.close();
  await t.rejects(waits, { code: 'service_draining' });
  disk.broken = false;
  await t.rejects(persistence.writeEventually('a', write('two')), { code: 'service_draining' });
  persistence.flush();
  await clock.advance(60_000);
  await settled();
  t.strictSame(disk.kept, []);
  t.equal(clock.waiting, 0);
});
