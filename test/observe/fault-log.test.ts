import t from 'tap';
import { FaultLog, TROUBLE_LINE_MS } from '../../server/observe/fault-log.ts';
import { FakeClock } from '../support/fake-clock.ts';

t.test(
  'faults of ours are all written down; trouble with the storage once in a while, with how often it was met',
  async (t) => {
    const lines: unknown[] = [];
    const clock = new FakeClock();
    const log = new FaultLog({ error: ((line: unknown) => void lines.push(line)) as never }, clock);
    const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    const ours = new TypeError('ours');
    log.tell(ours);
    log.tell(ours);
    for (let time = 0; time < 5; time++) log.tell(full);
    t.strictSame(lines, [{ err: ours }, { err: ours }, { err: full, more: 0 }]);
    await clock.advance(TROUBLE_LINE_MS);
    log.tell(full);
    t.strictSame(lines.at(-1), { err: full, more: 4 });
  },
);
