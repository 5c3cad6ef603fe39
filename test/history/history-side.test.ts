import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { HistoryFile } from '../../server/history/history-file.ts';
import { FORGET_INTERVAL_MS, HistorySide, RETRY_MS } from '../../server/history/history-side.ts';
import type { FromHistory, ToHistory } from '../../server/history/messages.ts';
import type { Port } from '../../server/link/messages.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { entriesOf, historyFolder, sessionHistory, tap, writeTaps } from '../support/histories.ts';
import { SmallDisk, withoutMounts } from '../support/troubled-disk.ts';
import { until } from '../support/until.ts';

/** The thread's side without a thread. */
function open(
  t: Test,
  folder = historyFolder(t),
  isKept: (ids: readonly string[]) => ReadonlySet<string> = (ids) => new Set(ids),
) {
  const told: FromHistory[] = [];
  let receive: (batch: readonly ToHistory[]) => void = () => undefined;
  const port: Port<FromHistory, ToHistory> = {
    send: (batch) => void told.push(...batch),
    onReceive: (listener) => {
      receive = listener;
    },
    onClosed: () => undefined,
    close: async () => undefined,
  };
  const path = join(folder, 'history.db');
  const clock = new FakeClock();
  const side = new HistorySide({ port, path, isKept, clock });
  t.teardown(() => side.close());
  const { session, by } = sessionHistory();
  let batch = 0;
  return {
    path,
    clock,
    told,
    session,
    order: (one: ToHistory) => receive([one]),
    /** Posts a tap with this id. */
    post(requestId: string) {
      session.accepted(tap(requestId), by);
      receive([{ kind: 'write', batch: ++batch, pieces: [session.take()] }]);
    },
    kinds: () => told.splice(0).map(({ kind }) => kind),
    /** The ids that a read finds; `undefined` where it is refused. */
    ids(): readonly string[] | undefined {
      receive([
        { kind: 'read', call: 1, order: { sessionId: 'ses_1', after: 0, limit: 1_000, bytesMax: 1e6, liveFrom: 1 } },
      ]);
      const answer = told.pop();
      if (answer?.kind !== 'stretch') return undefined;
      const lines = new TextDecoder().decode(answer.stretch.bytes).split('\n').slice(0, -1);
      return lines.map((line) => JSON.parse(line).requestId);
    },
  };
}

t.test(
  'a full disk is waited for: what waits is found, and is written once there is room',
  { skip: withoutMounts() },
  async (t) => {
    const folder = historyFolder(t);
    const disk = new SmallDisk(join(folder, 'disk'), 512);
    t.teardown(() => disk.remove());
    const { post, kinds, ids, clock } = open(t, join(folder, 'disk'));
    post('before');
    t.same(kinds(), ['written']);
    disk.fill();
    for (let index = 0; index < 50; index++) post(`full-${index}`);
    const told = kinds();
    t.equal(told.filter((kind) => kind === 'waiting').length, 1, 'told once');
    t.ok(told.filter((kind) => kind === 'written').length < 50);
    t.same(ids(), ['before', ...Array.from({ length: 50 }, (_, index) => `full-${index}`)]);
    await clock.advance(RETRY_MS);
    t.notOk(kinds().includes('well'), 'it is still full');
    disk.relieve();
    await clock.advance(RETRY_MS);
    const after = kinds();
    t.equal(after.at(-1), 'well');
    t.equal(ids()?.length, 51);
    post('after');
    t.same(kinds(), ['written']);
  },
);

t.test('a broken file is moved aside, and the history goes on in a new one', async (t) => {
  const folder = historyFolder(t);
  const nonsense = Buffer.alloc(8_192, 'no database ');
  writeFileSync(join(folder, 'history.db'), nonsense);
  const { post, kinds, ids, path } = open(t, folder);
  post('a');
  t.same(kinds(), ['begun anew', 'written']);
  t.same(ids(), ['a']);
  t.ok(readFileSync(`${path}.broken`).equals(nonsense), 'an operator can look at it');
});

t.test('a file that breaks while it is in use loses what was in it, and nothing after', async (t) => {
  const { post, kinds, ids, path, told } = open(t);
  for (let index = 0; index < 300; index++) post(`a${index}`);
  kinds();
  // Into the middle of the file and of its log, past the cache of the connection that is open.
  for (const name of [path, `${path}-wal`]) {
    const bytes = readFileSync(name);
    writeFileSync(name, Buffer.alloc(bytes.length, 0xff));
  }
  for (let index = 0; index < 300; index++) post(`b${index}`);
  const written = told.filter(({ kind }) => kind === 'written').length;
  t.equal(written, 300, 'no batch waits for ever');
  t.ok(ids()?.includes('b299'));
});

t.test('a folder that cannot be used is waited for', async (t) => {
  const folder = historyFolder(t);
  const { post, kinds, ids, clock } = open(t, join(folder, 'absent'));
  post('a');
  t.same(kinds(), ['waiting']);
  t.equal(ids(), undefined);
  await clock.advance(RETRY_MS);
  t.notOk(kinds().includes('written'));
});

t.test('histories of sessions without a record are forgotten', async (t) => {
  const folder = historyFolder(t);
  const file = new HistoryFile(join(folder, 'history.db'));
  for (const id of ['ses_a', 'ses_gone', 'ses_b', 'ses_away']) writeTaps(file, 300, 2, id);
  const { clock } = open(t, folder, (ids) => new Set(ids.filter((id) => /_[ab]$/.test(id))));
  await clock.advance(FORGET_INTERVAL_MS + 10_000);
  t.same(
    file.sessionsAfter(0, 10).map(({ id }) => id),
    ['ses_a', 'ses_b'],
  );
  t.equal(entriesOf(file, { sessionId: 'ses_gone' }).length, 0);
  t.equal(entriesOf(file, { sessionId: 'ses_b' }).length, 300);
  file.close();
});

t.test('a copy is made and read beside the file, and one that is broken befalls nothing else', async (t) => {
  const folder = historyFolder(t);
  const { post, order, told, ids } = open(t, folder);
  const copied = async (path: string) => {
    told.length = 0;
    order({ kind: 'copy', call: 7, sessionId: 'ses_1', path });
    await until(() => told.length > 0, 'an answer');
    return told.splice(0);
  };
  const kindsOf = (copy: string, requestId: string) => {
    told.length = 0;
    order({ kind: 'find', call: 8, order: { sessionId: 'ses_1', requestId, copy, liveFrom: 9 } });
    return told.splice(0).map((answer) => (answer.kind === 'found' && answer.entry ? 'entry' : answer.kind));
  };
  post('a');
  const path = join(folder, 'copy.db');
  t.match(await copied(path), [{ kind: 'copied', call: 7, file: { sha256: /^[0-9a-f]{64}$/ } }]);
  post('b');
  t.same([kindsOf(path, 'a'), kindsOf(path, 'b')], [['entry'], ['found']]);
  const broken = join(folder, 'broken.db');
  writeFileSync(broken, Buffer.alloc(8_192, 'no database '));
  const refused = ['fault', 'unavailable'];
  t.same(kindsOf(broken, 'a'), refused);
  t.same(kindsOf(join(folder, 'absent.db'), 'a'), refused);
  t.match(await copied(join(folder, 'absent', 'copy.db')), [{ kind: 'fault' }, { kind: 'unavailable', call: 7 }]);
  t.same(ids(), ['a', 'b']);
});
