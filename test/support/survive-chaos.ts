import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordingRecord } from '@runcloud/protocol';
import type { Test } from 'tap';
import { seeded } from '../conformance/random.ts';
import { chaos } from './chaos.ts';
import { ChaosRequests } from './chaos-requests.ts';
import { openSockets } from './open-sockets.ts';
import { residentBytes } from './process-memory.ts';
import { RestClient } from './rest-client.ts';
import { TEST_KEY } from './server.ts';
import { serverProgram, temporaryDataDir } from './server-process.ts';

/** References to a file are good for a minute. */
const REFERENCE_MS = 20_000;

/** Maximum growth of the heap between two readings; leaks of this many connections would be far above it. */
const GROWN_BYTES_MAX = 96 * 2 ** 20;

/** Cuts `count` connections to a server in a process of its own, and proves that nothing is left of them. */
export async function surviveChaos(t: Test, count: number): Promise<void> {
  const seed = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 2 ** 32));
  t.comment(`CHAOS_SEED=${seed}`);
  const dataDir = temporaryDataDir();
  t.teardown(dataDir.remove);
  const program = serverProgram(dataDir.path, {
    RUNCLOUD_API_KEY: TEST_KEY,
    RUNCLOUD_LOG: 'warn',
    RUNCLOUD_RATE_LIMIT: 'off',
  });
  t.teardown(() => program.signal('SIGKILL'));
  const rest = new RestClient(await program.ready(), TEST_KEY);
  const session = await rest.createSession('ios');
  const recordings = `/service/ios/${session.id}/recordings`;
  const { body: recording } = await rest.call<RecordingRecord>('POST', recordings);
  await sleep(500);
  await rest.call('POST', `${recordings}/${recording.id}/stop`);
  let reference = { path: '', untilMs: 0 };
  const refresh = async () => {
    const path = `${recordings}/${recording.id}/download`;
    const { headers } = await rest.fetch(path, { redirect: 'manual', headers: { Connection: 'close' } });
    const { pathname, search } = new URL(headers.get('location') ?? '/', rest.url);
    reference = { path: pathname + search, untilMs: performance.now() + REFERENCE_MS };
  };
  const random = seeded(seed);
  const subjects = { session, authorization: rest.authorization, recordingId: recording.id };
  const requests = new ChaosRequests({ ...subjects, retrieval: () => reference.path }, random);
  const run = async (connections: number) => {
    if (reference.untilMs < performance.now()) await refresh();
    const goesOn = () => program.running && reference.untilMs > performance.now();
    return chaos({ url: rest.url, requests, random, goesOn }, connections);
  };

  // Code and data that the first requests of each kind load are not a leak.
  const sockets = openSockets(program.pid);
  const warmUp = Math.ceil(count / 4);
  let made = 0;
  let before = 0;
  const greeting = program.stderr;
  while (program.running && made < count) {
    const figures = await run(Math.min(count - made, before === 0 ? warmUp - made : count));
    made += figures.connections;
    t.comment(JSON.stringify(figures));
    if (before === 0 && made >= warmUp) before = residentBytes(program.pid);
  }
  t.ok(program.running, 'the process lives');
  t.equal(program.stderr, greeting, 'and has nothing to say');
  if (!program.running) return;
  const left = await settles(() => openSockets(program.pid) - sockets);
  t.ok(left <= 2, `${left} sockets are left, beside what the calls of this test keep open`);
  const grown = residentBytes(program.pid) - before;
  t.comment(`${Math.round(before / 2 ** 20)} MiB, grown by ${Math.round(grown / 2 ** 20)} MiB`);
  t.ok(grown < GROWN_BYTES_MAX, `${grown} bytes`);
  const tap = await rest.interact(session, { action: 'tap', x: 0.5, y: 0.5 });
  t.match(tap, { status: 200, body: { ok: true } }, 'and serves');
  program.signal('SIGTERM');
  t.same(await program.ended, { code: 0, signal: null }, 'and stops as usual');
}

/** The value to which a figure falls within the time after which the server closes idle connections. */
async function settles(figure: () => number): Promise<number> {
  for (let round = 0; round < 150 && figure() > 2; round++) await sleep(100);
  return figure();
}
