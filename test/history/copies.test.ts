import { join } from 'node:path';
import t from 'tap';
import { copyHistory, OpenCopies } from '../../server/history/copies.ts';
import { HistoryFile } from '../../server/history/history-file.ts';
import type { ReadOrder } from '../../server/history/messages.ts';
import { historyFolder, sessionHistory, TestBox, tap, WALL_MS, writeTaps } from '../support/histories.ts';

const ENTRIES = 1_000;
const EACH = 7;

const order = (more: Partial<ReadOrder>): ReadOrder => ({
  sessionId: 'ses_1',
  after: 0,
  limit: 100,
  bytesMax: 1e6,
  liveFrom: Number.POSITIVE_INFINITY,
  ...more,
});
const read = (file: HistoryFile, more: Partial<ReadOrder>) => {
  const { bytes, ...rest } = file.read(order(more));
  return { ...rest, text: new TextDecoder().decode(bytes) };
};

t.test('a copy tells all that the history of one session tells, and nothing of another', async (t) => {
  const folder = historyFolder(t);
  const file = new HistoryFile(join(folder, 'history.db'));
  t.teardown(() => file.close());
  writeTaps(file, 3, 1, 'ses_2');
  writeTaps(file, ENTRIES, EACH);
  const { session, by } = sessionHistory(new TestBox(), false, 'ses_3');
  session.accepted(tap('a'), by);
  file.write([session.take()]);
  const path = join(folder, 'copy.db');
  const told = await copyHistory(file, 'ses_1', path);
  t.same(await copyHistory(file, 'ses_1', path), told, 'made again it is the same');

  const copies = new OpenCopies();
  t.teardown(() => copies.close());
  const copy = copies.at(path);
  for (const more of [
    { limit: ENTRIES },
    { after: 500 },
    { after: ENTRIES },
    { newest: 30, limit: 20 },
    { bytesMax: 1_000 },
    { cues: { fromMs: WALL_MS + 10, toMs: WALL_MS + 60 } },
  ])
    t.same(read(copy, more), read(file, more), JSON.stringify(more));
  const asked = { requestId: 't500', liveFrom: Number.POSITIVE_INFINITY };
  t.match(copy.find({ ...asked, sessionId: 'ses_1' }), { seq: 500 });
  t.equal(copy.find({ ...asked, sessionId: 'ses_2', requestId: 't1' }), undefined);
  t.throws(() => writeTaps(copy, 1, 1), { code: 'SQLITE_READONLY' });
});

t.test('a session in which nothing was done has a copy too', async (t) => {
  const folder = historyFolder(t);
  const file = new HistoryFile(join(folder, 'history.db'));
  t.teardown(() => file.close());
  const path = join(folder, 'copy.db');
  t.ok((await copyHistory(file, 'ses_1', path)).byteSize > 0);
  const copies = new OpenCopies();
  t.teardown(() => copies.close());
  t.match(read(copies.at(path), {}), { count: 0, more: false });
});

t.test('a few copies are open at once, and one that is not there is told', async (t) => {
  const folder = historyFolder(t);
  const file = new HistoryFile(join(folder, 'history.db'));
  t.teardown(() => file.close());
  const copies = new OpenCopies();
  t.teardown(() => copies.close());
  const opened: HistoryFile[] = [];
  for (let index = 0; index < 5; index++) {
    const path = join(folder, `${index}.db`);
    writeTaps(file, index + 1, 10, `ses_${index}`);
    await copyHistory(file, `ses_${index}`, path);
    opened.push(copies.at(path));
  }
  const [first, , third] = opened;
  t.throws(() => first?.read(order({})), /not open/, 'it was closed');
  t.equal(copies.at(join(folder, '2.db')), third);
  t.match(read(copies.at(join(folder, '0.db')), { sessionId: 'ses_0' }), { count: 1 });
  t.throws(() => copies.at(join(folder, 'absent.db')), { code: 'SQLITE_CANTOPEN' });
});
