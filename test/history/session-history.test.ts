import { join } from 'node:path';
import t from 'tap';
import { HistoryFile } from '../../server/history/history-file.ts';
import { type Piece, WIDTH } from '../../server/history/layout.ts';
import { entriesOf, historyFolder, request, sessionHistory, TestBox, tap, WALL_MS } from '../support/histories.ts';

const idsOf = ({ ids }: Piece): string[] => Buffer.from(ids).toString().split('\n').slice(0, -1);
const COMPLETED = { status: 'completed' } as const;

t.test('a session tells once that it has news, until they are taken', async (t) => {
  const box = new TestBox();
  const { session, by } = sessionHistory(box);
  const one = session.accepted(tap('a'), by);
  session.accepted(tap('b'), by);
  t.equal(box.added.length, 1);
  session.take();
  session.ended(one, COMPLETED, 1);
  session.dispatched(2, 1, 1);
  t.equal(box.added.length, 2);
});

t.test('a young entry without an end stays with all behind it, and comes once it has ended or is old', async (t) => {
  const box = new TestBox();
  const { session, by } = sessionHistory(box);
  const first = session.accepted(tap('first', 0.1, WALL_MS), by);
  const second = session.accepted(request('second', { action: 'reload' }, WALL_MS + 10), by);
  const third = session.accepted(tap('third', 0.3, WALL_MS + 20), by);
  session.ended(first, COMPLETED, 1);
  session.ended(third, COMPLETED, 1);
  const taken = session.take(WALL_MS + 5);
  t.same([taken.first, taken.count, idsOf(taken), taken.notes], [1, 1, ['first'], []]);
  t.equal(box.added.length, 2, 'it has news left');
  session.ended(second, COMPLETED, 5);
  session.accepted(tap('fourth', 0.4, WALL_MS + 30), by);
  const rest = session.take(WALL_MS + 5);
  t.same([rest.first, rest.count, idsOf(rest)], [2, 2, ['second', 'third']]);
  t.match(rest.notes, [{ seq: 2, action: 'reload' }]);
  const old = session.take(WALL_MS + 40);
  t.same([old.first, old.count, idsOf(old)], [4, 1, ['fourth']]);
  const file = new HistoryFile(join(historyFolder(t), 'history.db'));
  t.teardown(() => file.close());
  for (const piece of [taken, rest, old]) file.write([piece]);
  t.match(entriesOf(file), [
    { seq: 1, requestId: 'first', fields: { x: 0.1 }, status: 'completed' },
    { seq: 2, requestId: 'second', action: 'reload', status: 'completed', durationMs: 5 },
    { seq: 3, requestId: 'third', fields: { x: 0.3 }, status: 'completed' },
    { seq: 4, requestId: 'fourth', fields: { x: 0.4 }, status: 'pending' },
  ]);
});

t.test('what was taken stays as it was, whatever comes after', async (t) => {
  const { session, by } = sessionHistory();
  const seqs = Array.from({ length: 40 }, (_, index) => session.accepted(tap(`t${index}`, 0.1, WALL_MS + index), by));
  for (const seq of seqs.slice(0, 10)) session.ended(seq, COMPLETED, 1);
  const piece = session.take(WALL_MS + 20);
  t.equal(piece.count, 20);
  const asTaken = { numbers: [...piece.numbers], ids: idsOf(piece) };
  for (const seq of seqs.slice(10)) session.ended(seq, COMPLETED, 5);
  for (let index = 0; index < 1_000; index++) session.accepted(tap(`later-${index}`, 0.9), by);
  session.take();
  t.strictSame({ numbers: [...piece.numbers], ids: idsOf(piece) }, asTaken);
});

t.test('however entries end, and whenever they are taken, the file has each as it was', async (t) => {
  const { session, by } = sessionHistory();
  const file = new HistoryFile(join(historyFolder(t), 'history.db'));
  t.teardown(() => file.close());
  const wanted: { requestId: string; status: string; x: number }[] = [];
  const open: number[] = [];
  for (let index = 1; index <= 3_000; index++) {
    const requestId = `id-${'x'.repeat(index % 40)}-${index}`;
    const x = index / 10_000;
    open.push(session.accepted(tap(requestId, x, WALL_MS + index), by));
    wanted.push({ requestId, status: 'pending', x });
    while (open.length > 0 && Math.random() < 0.45) {
      const [entry = 0] = open.splice(Math.floor(Math.random() * open.length), 1);
      session.dispatched(entry, entry, 1);
      session.ended(entry, COMPLETED, 2);
      Object.assign(wanted[entry - 1] ?? {}, { status: 'completed' });
    }
    if (Math.random() < 0.05) file.write([session.take(WALL_MS + index - 30)]);
  }
  file.write([session.take()]);
  t.same(
    entriesOf(file).map(({ requestId, status, fields }) => ({ requestId, status, x: fields.x })),
    wanted,
  );
});

t.test('what finds no room is lost, and the next entry says how much; what is known goes on', async (t) => {
  const box = new TestBox(1_000);
  const { session, by } = sessionHistory(box);
  const first = session.accepted(tap('first'), by);
  while (box.waitingBytes < 1_000) session.accepted(tap('more'), by);
  t.equal(session.accepted(tap('lost'), by), 0);
  t.equal(session.accepted(tap('lost too'), by), 0);
  session.dispatched(0, 1, 1);
  session.ended(0, COMPLETED, 1);
  session.ended(first, COMPLETED, 1);
  t.equal(box.lostCount, 2);
  box.waitingBytes = 0;
  session.accepted(tap('next'), by);
  const file = new HistoryFile(join(historyFolder(t), 'history.db'));
  t.teardown(() => file.close());
  file.write([session.take()]);
  const entries = entriesOf(file);
  t.match(entries[0], { requestId: 'first', status: 'completed' });
  t.match(entries.at(-1), { requestId: 'next', lostBefore: 2 });
  t.same(
    entries.map(({ seq }) => seq),
    entries.map((_, index) => index + 1),
  );
});

t.test('callers are numbered once each, by what they are', async (t) => {
  const { session, by } = sessionHistory();
  t.equal(session.origin({ kind: 'key', id: 'key_1', transport: 'socket' }), by);
  const others = [
    session.origin({ kind: 'key', id: 'key_1', transport: 'rest' }),
    session.origin({ kind: 'session', transport: 'socket' }),
    session.origin({ kind: 'link', id: 'lnk_1', transport: 'socket' }),
  ];
  t.same(others, [2, 3, 4]);
  const file = new HistoryFile(join(historyFolder(t), 'history.db'));
  t.teardown(() => file.close());
  for (const number of [by, ...others]) {
    session.accepted(tap(`by-${number}`), number);
    file.write([session.take()]);
  }
  t.same(
    entriesOf(file).map((entry) => entry.by.kind),
    ['key', 'key', 'session', 'link'],
  );
});

t.test('the steps of live gestures go with their entries, those of a young one later', async (t) => {
  const { session, by } = sessionHistory();
  const file = new HistoryFile(join(historyFolder(t), 'history.db'));
  t.teardown(() => file.close());
  const wanted: { requestId: string; action: string; status: string; fields: { steps: object[] } }[] = [];
  const open: number[] = [];
  const stepTo = (entry: number, phase: 'begin' | 'move' | 'end') => {
    const points = Array.from({ length: 1 + (entry % 2) }, () => ({ x: Math.random(), y: Math.random() }));
    session.step(entry, phase, points, entry);
    wanted[entry - 1]?.fields.steps.push({ phase, points, atMs: entry });
  };
  for (let index = 1; index <= 2_000; index++) {
    const requestId = `g${index}`;
    const entry = session.accepted(request(requestId, { action: 'pointer' }, WALL_MS + index), by);
    open.push(entry);
    wanted.push({ requestId, action: 'pointer', status: 'pending', fields: { steps: [] } });
    stepTo(entry, 'begin');
    while (open.length > 0 && Math.random() < 0.6) {
      const [chosen = 0] = open.splice(Math.floor(Math.random() * open.length), 1);
      if (Math.random() < 0.5) stepTo(chosen, 'move');
      stepTo(chosen, 'end');
      session.ended(chosen, COMPLETED, 2);
      Object.assign(wanted[chosen - 1] ?? {}, { status: 'completed' });
    }
    if (Math.random() < 0.05) file.write([session.take(WALL_MS + index - 30)]);
  }
  file.write([session.take()]);
  t.match(entriesOf(file), wanted);
  const exact = entriesOf(file) as { fields: object }[];
  t.strictSame(
    exact.map(({ fields }) => fields),
    wanted.map(({ fields }) => fields),
  );
});

t.test('a live gesture that never begins has no steps, and one of an earlier version of the file is one', async (t) => {
  const { session, by } = sessionHistory();
  const file = new HistoryFile(join(historyFolder(t), 'history.db'));
  t.teardown(() => file.close());
  for (const id of ['none', 'earlier']) session.accepted(request(id, { action: 'pointer' }), by);
  const piece = session.take();
  piece.numbers[2 * WIDTH - 1] = 0;
  file.write([{ ...piece, notes: [{ seq: 2, action: 'pointer', body: {} }] }]);
  t.match(entriesOf(file), [
    { requestId: 'none', action: 'pointer', fields: {} },
    { requestId: 'earlier', action: 'pointer', fields: {} },
  ]);
});
