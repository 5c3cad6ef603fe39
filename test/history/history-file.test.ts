import { statSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { LIMITS } from '@runcloud/protocol';
import t from 'tap';
import { HistoryFile } from '../../server/history/history-file.ts';
import { ENTRIES_OF_ROW_MAX } from '../../server/history/packed-rows.ts';
import { entriesOf, historyFolder, request, sessionHistory, tap, writeTaps } from '../support/histories.ts';

const open = (t: { teardown(task: () => void): void }): HistoryFile => {
  const file = new HistoryFile(join(historyFolder(t), 'history.db'));
  t.teardown(() => file.close());
  return file;
};

t.test('an entry that goes on after it was written is changed where it is', async (t) => {
  const file = open(t);
  const { session, by } = sessionHistory();
  const first = session.accepted(tap('a'), by);
  const second = session.accepted(request('b', { action: 'reload' }), by);
  session.dispatched(first, 1, 0.6);
  file.write([session.take()]);
  t.match(entriesOf(file), [
    { seq: 1, status: 'pending', dispatchedAt: '2026-05-06T07:08:09.001Z', inputSeq: 1 },
    { seq: 2, action: 'reload', status: 'pending' },
  ]);
  t.notOk(entriesOf(file).some((entry) => 'completedAt' in entry));
  session.ended(first, { status: 'completed' }, 7);
  file.write([session.take()]);
  session.dispatched(second, 2, 8);
  const error = { code: 'interaction_failed', message: 'No.', retryable: false } as const;
  session.ended(second, { status: 'failed', error }, 9);
  const third = session.accepted(tap('c'), by);
  file.write([session.take()]);
  session.ended(third, { status: 'completed' }, 1);
  file.write([session.take()]);
  t.match(entriesOf(file), [
    { seq: 1, status: 'completed', durationMs: 7, completedAt: '2026-05-06T07:08:09.007Z' },
    { seq: 2, status: 'failed', error, dispatchedAt: '2026-05-06T07:08:09.008Z', inputSeq: 2, durationMs: 9 },
    { seq: 3, status: 'completed', durationMs: 1 },
  ]);
});

t.test('a piece of thousands lies in several rows, with what is told of each entry in its own', async (t) => {
  const file = open(t);
  const { session, by } = sessionHistory();
  const count = ENTRIES_OF_ROW_MAX * 2 + 5;
  const error = { code: 'interaction_failed', message: 'No.', retryable: false } as const;
  const failed = [1, ENTRIES_OF_ROW_MAX, ENTRIES_OF_ROW_MAX + 1, ENTRIES_OF_ROW_MAX * 2 + 1, count];
  for (let seq = 1; seq <= count; seq++) {
    const entry = session.accepted(tap(`t${seq}`, seq / count), by);
    if (seq === count - 1) continue;
    session.ended(entry, failed.includes(seq) ? { status: 'failed', error } : { status: 'completed' }, seq);
  }
  file.write([session.take()]);
  session.ended(count - 1, { status: 'completed' }, 1);
  file.write([session.take()]);
  const entries = entriesOf(file);
  t.equal(entries.length, count);
  const wrong = entries.filter(
    ({ seq, requestId, fields, status, durationMs }, index) =>
      seq !== index + 1 ||
      requestId !== `t${seq}` ||
      fields.x !== seq / count ||
      status !== (failed.includes(seq) ? 'failed' : 'completed') ||
      durationMs !== (seq === count - 1 ? 1 : seq),
  );
  t.strictSame(wrong, []);
  t.match(file.find({ sessionId: 'ses_1', requestId: `t${ENTRIES_OF_ROW_MAX + 1}`, liveFrom: 1 }), {
    seq: ENTRIES_OF_ROW_MAX + 1,
    error,
  });
});

t.test('an entry without an end reads unknown once its session lives no more', async (t) => {
  const file = open(t);
  const { session, by } = sessionHistory();
  session.accepted(tap('a'), by);
  file.write([session.take()]);
  t.match(entriesOf(file), [{ status: 'pending' }]);
  t.match(entriesOf(file, { liveFrom: Number.POSITIVE_INFINITY }), [{ status: 'unknown' }]);
});

t.test('a live gesture has its steps, and says when there were more', async (t) => {
  const file = open(t);
  const { session, by } = sessionHistory();
  const at = (x: number) => [{ x, y: 0.5 }];
  const entry = session.accepted(request('p', { action: 'pointer', begin: at(0) }), by);
  session.dispatched(entry, 1, 0);
  session.step(entry, 'begin', at(0), 0.4);
  file.write([session.take()]);
  const moves = LIMITS.historySteps + 10;
  for (let move = 1; move <= moves; move++) {
    session.dispatched(entry, move + 1, move);
    session.step(entry, 'move', at(move / 10_000), move);
    if (move % 100 === 0) file.write([session.take()]);
  }
  session.step(entry, 'end', at(1), moves + 1);
  session.ended(entry, { status: 'completed' }, moves + 2);
  file.write([session.take()]);
  const [{ fields, inputSeq, dispatchedAt } = { fields: {} }] = entriesOf(file) as [ReturnType<typeof entriesOf>[0]];
  const { steps, cut } = fields as { steps: { phase: string; atMs: number }[]; cut: boolean };
  t.equal(cut, true);
  t.equal(steps.length, LIMITS.historySteps);
  t.same(steps[0], { phase: 'begin', points: at(0), atMs: 0 });
  t.same(steps.at(-1), { phase: 'end', points: at(1), atMs: moves + 1 });
  t.match({ inputSeq, dispatchedAt }, { inputSeq: moves + 1, dispatchedAt: '2026-05-06T07:08:09.000Z' });
});

t.test('news that cannot be written now are found by a look, and are not written by it', async (t) => {
  const file = open(t);
  const { session, by } = sessionHistory();
  const entry = session.accepted(tap('a'), by);
  file.write([session.take()]);
  session.ended(entry, { status: 'completed' }, 3);
  session.accepted(tap('b'), by);
  const news = session.take();
  t.match(
    file.foresee([news], () => entriesOf(file)),
    [
      { requestId: 'a', status: 'completed' },
      { requestId: 'b', status: 'pending' },
    ],
  );
  t.match(entriesOf(file), [{ requestId: 'a', status: 'pending' }]);
  t.equal(entriesOf(file).length, 1);
  file.write([news]);
  t.match(entriesOf(file), [{ status: 'completed' }, { requestId: 'b' }]);
});

t.test('of requests with one id the newest is found, and none that has it as a part', async (t) => {
  const file = open(t);
  const { session, by } = sessionHistory();
  for (const id of ['a', 'aa', 'a', 'b']) session.accepted(tap(id), by);
  file.write([session.take()]);
  session.accepted(tap('b.a'), by);
  file.write([session.take()]);
  t.match(file.find({ sessionId: 'ses_1', requestId: 'a', liveFrom: 1 }), { seq: 3 });
  t.match(file.find({ sessionId: 'ses_1', requestId: 'b', liveFrom: 1 }), { seq: 4 });
  t.equal(file.find({ sessionId: 'ses_1', requestId: 'c', liveFrom: 1 }), undefined);
  t.equal(file.find({ sessionId: 'ses_2', requestId: 'a', liveFrom: 1 }), undefined);
});

t.test('changes of entries that are gone are let go', async (t) => {
  const file = open(t);
  const { session, by } = sessionHistory();
  const entry = session.accepted(tap('lost'), by);
  session.take();
  session.ended(entry, { status: 'completed' }, 1);
  session.accepted(tap('kept'), by);
  file.write([session.take()]);
  t.match(entriesOf(file), [{ seq: 2, requestId: 'kept' }]);
});

t.test('a session that is forgotten leaves nothing, and others stay', async (t) => {
  const file = open(t);
  writeTaps(file, 200, 2, 'ses_old');
  writeTaps(file, 3, 1);
  const [old, kept] = file.sessionsAfter(0, 10);
  t.match([old, kept], [{ id: 'ses_old' }, { id: 'ses_1' }]);
  let steps = 0;
  while (old && file.forget(old)) steps++;
  t.ok(steps > 0, 'a few rows at a time');
  t.same(entriesOf(file, { sessionId: 'ses_old' }), []);
  t.equal(entriesOf(file).length, 3);
  t.same(file.sessionsAfter(0, 10), [kept]);
});

t.test('pages of a long history take as long as those of a short one', async (t) => {
  const file = open(t);
  writeTaps(file, 100_000, 50);
  writeTaps(file, 200, 50, 'ses_short');
  const page = { limit: LIMITS.listed.max, bytesMax: LIMITS.historyPageBytes, liveFrom: 1 };
  const msOf = (sessionId: string, after: number) => {
    const startMs = performance.now();
    t.equal(file.read({ ...page, sessionId, after }).count > 0, true);
    return performance.now() - startMs;
  };
  // In turns, so that both see the same machine.
  const ratios = Array.from({ length: 31 }, (_, round) => {
    const shortMs = msOf('ses_short', 0);
    return msOf('ses_1', (round * 3_200) % 99_800) / shortMs;
  }).sort((one, other) => one - other);
  const median = ratios[15] ?? 0;
  t.ok(median < 3, `median ratio ${median.toFixed(2)}`);
});

t.test('the file is for its owner alone', async (t) => {
  const folder = historyFolder(t);
  new HistoryFile(join(folder, 'history.db')).close();
  t.equal(statSync(join(folder, 'history.db')).mode & 0o777, 0o600);
});
