import t from 'tap';
import type { Port } from '../../server/link/messages.ts';
import { DurableLog, SYNC_MS_MAX } from '../../server/store/durable-log.ts';
import type { LogOrder, LogReport } from '../../server/store/log-messages.ts';
import { FakeClock, settled } from '../support/fake-clock.ts';

/** A thread that syncs when the test says so. */
function arena() {
  const orders: LogOrder[] = [];
  const failures: string[] = [];
  const heldUp: string[] = [];
  let report: (one: LogReport) => void = () => undefined;
  let end: (reason: string) => void = () => undefined;
  const port: Port<LogOrder, LogReport> = {
    send: (batch) => void orders.push(...batch),
    onReceive: (listener) => {
      report = (one) => listener([one]);
    },
    onClosed: (listener) => {
      end = listener;
    },
    close: async () => end('exit code 0'),
  };
  const clock = new FakeClock();
  const onFailed = (reason: string) => void failures.push(reason);
  const log = new DurableLog({ port, clock, onFailed, onHeldUp: (reason) => void heldUp.push(reason) });
  const said: string[] = [];
  const wait = (name: string, written: number) => {
    log.durable(written).then(
      () => said.push(name),
      (error) => said.push(`${name}: ${error.code}`),
    );
  };
  const tell = async (one: LogReport) => {
    report(one);
    await settled();
  };
  return { log, clock, orders, failures, heldUp, said, wait, tell, end: (reason: string) => end(reason) };
}

t.test('a caller that writes while an fsync runs waits for the next one, and shares it', async (t) => {
  const { orders, said, wait, tell } = arena();
  wait('first', 1);
  wait('second', 2);
  wait('third', 3);
  t.strictSame(orders, ['sync'], 'one runs at a time');
  await tell({ type: 'synced' });
  t.strictSame(said, ['first'], 'it began before the others wrote');
  t.strictSame(orders, ['sync', 'sync']);
  await tell({ type: 'synced' });
  t.strictSame(said, ['first', 'second', 'third']);
  t.equal(orders.length, 2);
});

t.test(
  'a caller that has written nothing since an fsync began shares that one, and waits for nothing after it',
  async (t) => {
    const { orders, said, wait, tell } = arena();
    wait('writer', 1);
    wait('reader', 1);
    await tell({ type: 'synced' });
    wait('later', 1);
    await settled();
    t.strictSame(said, ['writer', 'reader', 'later']);
    t.equal(orders.length, 1);
  },
);

t.test('a caller with more time, while the thread starts, is not told earlier that the log stalls', async (t) => {
  const { log, clock, tell } = arena();
  const patient = log.durable(1, 6 * SYNC_MS_MAX);
  const hasty = t.rejects(log.durable(1), { code: 'store_unavailable' });
  await clock.advance(2 * SYNC_MS_MAX);
  await hasty;
  await tell({ type: 'synced' });
  await t.resolves(patient);
});

t.test('after a failed fsync nothing is promised any more', async (t) => {
  const { log, failures, orders, said, wait, tell } = arena();
  wait('running', 1);
  wait('waiting', 2);
  await tell({ type: 'failed', reason: 'EIO' });
  t.strictSame(said, ['running: store_unavailable', 'waiting: store_unavailable']);
  // The next one would succeed: the system has forgotten what it could not write.
  wait('later', 3);
  await tell({ type: 'synced' });
  t.equal(said[2], 'later: store_unavailable');
  t.strictSame(orders, ['sync'], 'and nothing more is asked of the disk');
  t.strictSame([failures, log.failure], [['EIO'], 'EIO'], 'which is told once');
});

t.test('a thread that has ended promises nothing; one that was ended is no failure', async (t) => {
  const crashed = arena();
  crashed.wait('waiting', 1);
  crashed.end('exit code 1');
  await settled();
  t.strictSame(crashed.said, ['waiting: store_unavailable']);
  t.strictSame(crashed.failures, ['the thread ended: exit code 1']);

  const ended = arena();
  ended.wait('waiting', 1);
  await ended.log.close();
  await settled();
  t.strictSame(ended.said, ['waiting: store_unavailable'], 'who still waits is woken');
  t.strictSame(ended.failures, []);
});

t.test('a disk that stalls is waited for no longer than its time, and goes on later', async (t) => {
  const { clock, failures, said, wait, tell } = arena();
  wait('patient', 1);
  await clock.advance(SYNC_MS_MAX);
  t.strictSame(said, ['patient: store_unavailable']);
  wait('next', 2);
  await tell({ type: 'synced' });
  await tell({ type: 'synced' });
  t.equal(said[1], 'next');
  t.strictSame(failures, []);
  t.equal(clock.waiting, 0, 'no timer is left');
});

t.test('a log that cannot be moved is told of, and holds nobody up', async (t) => {
  const { heldUp, said, wait, tell } = arena();
  wait('writer', 1);
  await tell({ type: 'held up', reason: 'database or disk is full' });
  await tell({ type: 'synced' });
  t.strictSame([heldUp, said], [['database or disk is full'], ['writer']]);
});
