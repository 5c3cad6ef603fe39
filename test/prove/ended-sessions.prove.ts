import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionRecord } from '@runcloud/protocol';
import Sqlite from 'better-sqlite3';
import t from 'tap';
import { databasePath } from '../../server/store/database.ts';
import { FIRST_PURGE_MS_MAX } from '../../server/store/purge.ts';
import { RestClient } from '../support/rest-client.ts';
import { serverProgram, temporaryDataDir } from '../support/server-process.ts';

/** Thousands of sessions through the front door: what is kept of them costs nobody time, and goes when its time is over. */

const COUNT = Number(process.env.PROVE_ENDED_SESSIONS ?? 5_000);
const KEY = 'a-key-that-only-this-proof-knows';
const AGE_MS = 40 * 86_400_000;

const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[values.length >> 1] ?? Number.NaN;

interface Sessions {
  readonly sessions: readonly SessionRecord[];
  readonly next?: string;
}

t.test(`${COUNT} sessions made and released`, { timeout: 600_000 }, async (t) => {
  const folder = temporaryDataDir();
  t.teardown(() => folder.remove());
  const environment = { RUNCLOUD_API_KEY: KEY, RUNCLOUD_RATE_LIMIT: 'off', RUNCLOUD_LOG: 'error' };
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

  await make(200);
  const few = await listTimes();
  await make(COUNT - 200);
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
  const waits: number[] = [];
  const untilMs = performance.now() + FIRST_PURGE_MS_MAX + 60_000;
  while (Number(left.get()) > 0 && performance.now() < untilMs) {
    for (let n = 0; n < 20; n++) {
      const startMs = performance.now();
      await (await rest.fetch('/healthz')).arrayBuffer();
      waits.push(performance.now() - startMs);
      await sleep(5);
    }
  }
  t.equal(left.get(), 0);
  database.pragma('wal_checkpoint(PASSIVE)');
  const freePages = Number(database.pragma('freelist_count', { simple: true }));
  const allPages = Number(database.pragma('page_count', { simple: true }));
  database.close();
  waits.sort((one, other) => one - other);
  const [middle, high, worst] = [0.5, 0.99, 1].map((share) => waits[Math.ceil(waits.length * share) - 1]?.toFixed(2));
  t.comment({ middle, high, worst, freePages, allPages });
  t.ok(freePages > allPages / 2, 'the room of what has gone is free for what comes');
  await make(200);
  const after = await listTimes();
  t.comment({ after, bytes: sizeBytes() });
  t.ok(after.listMs / after.healthMs < 2 * (few.listMs / few.healthMs));
  t.ok(sizeBytes() <= fullBytes * 1.05, 'and is used again');
});
