import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionRecord } from '@runcloud/protocol';
import t from 'tap';
import { databasePath } from '../../server/store/database.ts';
import { FIRST_PURGE_MS_MAX, SLICE_MS_MAX } from '../../server/store/purge.ts';
import { Sqlite } from '../../server/store/sqlite.ts';
import { residentBytes } from '../support/process-memory.ts';
import { RestClient } from '../support/rest-client.ts';
import { serverProgram, temporaryDataDir } from '../support/server-process.ts';
import { askServer, WATCHED } from '../support/watched-server.ts';

/** Thousands of sessions through the front door: what is kept of them costs nobody time, and goes when its time is over. */

const COUNT = Number(process.env.PROVE_ENDED_SESSIONS ?? 5_000);
const KEY = 'a-key-that-only-this-proof-knows';
const AGE_MS = 40 * 86_400_000;
/** Caches are full by then, and code is compiled. */
const WARM = COUNT / 2;
const FLAT = 1.1;
/** Interval of the readings of the event loop. */
const LOOK_MS = 50;
/** Time for work that a start leaves behind. */
const SETTLED_MS = 3_000;

const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[values.length >> 1] ?? Number.NaN;

interface Sessions {
  readonly sessions: readonly SessionRecord[];
  readonly next?: string;
}

t.test(`${COUNT} sessions made and released`, { timeout: 600_000 }, async (t) => {
  const folder = temporaryDataDir();
  t.teardown(() => folder.remove());
  const environment = { RUNCLOUD_API_KEY: KEY, RUNCLOUD_RATE_LIMIT: 'off', RUNCLOUD_LOG: 'error', ...WATCHED };
  let program = serverProgram(folder.path, environment);
  t.teardown(() => program.signal('SIGKILL'));
  let rest = new RestClient(await program.ready(), KEY);
  const sizeBytes = () => statSync(databasePath(folder.path)).size;

  /** Milliseconds of a page of the list, and of a health check beside it as a control; the middle of many. */
  const listTimes = async () => {
    const times: number[] = [];
    const controls: number[] = [];
    let bytes = 0;
    for (let n = 0; n < 100; n++) {
      const startMs = performance.now();
      bytes = (await (await rest.fetch('/service/sessions?limit=200')).arrayBuffer()).byteLength;
      times.push(performance.now() - startMs);
      const controlMs = performance.now();
      await (await rest.fetch('/healthz')).arrayBuffer();
      controls.push(performance.now() - controlMs);
    }
    return { listMs: median(times), healthMs: median(controls), bytes };
  };
  const make = async (count: number) => {
    let left = count;
    const lane = async (platform: 'ios' | 'android') => {
      while (left-- > 0) {
        const labels = { build: 'x'.repeat(100) };
        const { id } = await rest.createSession(platform, { labels, embedOrigins: ['https://example.com'] });
        await rest.releaseSession(id);
      }
    };
    await Promise.all([lane('ios'), lane('ios'), lane('android'), lane('android')]);
  };

  const memory = async () => ({ heap: await askServer(program, 'heapBytes'), resident: residentBytes(program.pid) });
  await make(200);
  const few = await listTimes();
  await make(WARM - 200);
  const warm = await memory();
  await make(COUNT - WARM);
  const full = await memory();
  t.comment({ warm, full });
  t.ok(full.heap <= warm.heap * FLAT, 'what is kept of them is on disk, not in memory');
  t.ok(full.resident <= warm.resident * FLAT);
  const many = await listTimes();
  const fullBytes = sizeBytes();
  t.comment({ few, many, fullBytes });
  t.ok(many.bytes < 65_536);
  t.ok(many.listMs / many.healthMs < 2 * (few.listMs / few.healthMs), 'a page costs the same, however many there are');
  let pages = 0;
  let found = 0;
  for (let cursor = ''; ; pages++) {
    const { body } = await rest.call<Sessions>('GET', `/service/sessions?limit=200${cursor}`);
    found += body.sessions.length;
    if (body.next === undefined) break;
    cursor = `&cursor=${body.next}`;
  }
  t.equal(found, COUNT);
  t.comment(`${pages + 1} pages`);

  program.signal('SIGTERM');
  await program.ended;
  // A month passes.
  const database = new Sqlite(databasePath(folder.path));
  database
    .prepare('UPDATE session SET created_at_ms = created_at_ms - ?, released_at_ms = released_at_ms - ?')
    .run(AGE_MS, AGE_MS);
  const left = database.prepare('SELECT count(*) FROM session').pluck();
  program = serverProgram(folder.path, environment);
  rest = new RestClient(await program.ready(), KEY);
  await sleep(SETTLED_MS);
  await askServer(program, 'heldMs');
  const rows = () => Number(left.get());
  const held = { beside: [] as number[], without: [] as number[] };
  const untilMs = performance.now() + FIRST_PURGE_MS_MAX + 60_000;
  // Before the purge and after it, at least as often as beside it.
  while ((rows() > 0 || held.without.length < held.beside.length) && performance.now() < untilMs) {
    const before = rows();
    const lookedMs = performance.now();
    while (performance.now() - lookedMs < LOOK_MS) {
      await (await rest.fetch('/healthz')).arrayBuffer();
      await sleep(5);
    }
    held[rows() < before ? 'beside' : 'without'].push(await askServer(program, 'heldMs'));
  }
  t.equal(left.get(), 0);
  database.pragma('wal_checkpoint(PASSIVE)');
  const freePages = Number(database.pragma('freelist_count', { simple: true }));
  const allPages = Number(database.pragma('page_count', { simple: true }));
  database.close();
  const longestMs = { beside: Math.max(...held.beside), without: Math.max(...held.without) };
  const looks = { beside: held.beside.length, without: held.without.length };
  t.comment({ looks, longestMs, medianMs: { beside: median(held.beside), without: median(held.without) } });
  t.ok(held.beside.length > 0 && held.without.length >= held.beside.length);
  t.ok(
    longestMs.beside <= longestMs.without + SLICE_MS_MAX,
    'the purge holds the loop no longer than anything else does, but for a slice',
  );
  t.comment({ freePages, allPages });
  t.ok(freePages > allPages / 2, 'the room of what has gone is free for what comes');
  await make(200);
  const after = await listTimes();
  t.comment({ after, bytes: sizeBytes() });
  t.ok(after.listMs / after.healthMs < 2 * (few.listMs / few.healthMs));
  t.ok(sizeBytes() <= fullBytes * 1.05, 'and is used again');
});
