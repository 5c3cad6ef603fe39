import type { RecordingStatus } from '@runcloud/protocol';
import { ServiceError } from '@runcloud/protocol/terms';
import fc, { type AsyncCommand } from 'fast-check';
import t from 'tap';
import { canTransition, isActive } from '../../server/recording/lifecycle.ts';
import { fault, RecordingArena } from '../support/recording-arena.ts';
import { WHOLE } from '../support/whole-list.ts';

type Session = ReturnType<RecordingArena['session']>;

/** The knowledge of the clients: the recording of each key, and the acknowledgements. */
interface Real {
  readonly arena: RecordingArena;
  sessions: Session[];
  readonly byKey: Map<string, string>;
  readonly acknowledged: Set<string>;
  readonly pending: Promise<unknown>[];
  lastSession: number;
}

const REFUSALS = ['recording_already_active', 'active_session_not_found', 'recording_failed'];
let operations = 0;

function command(name: string, act: (real: Real) => unknown): AsyncCommand<object, Real> {
  return {
    check: () => true,
    run: async (_, real) => {
      operations++;
      await act(real);
      await allTold(real.arena);
      checkAlways(real);
    },
    toString: () => name,
  };
}

/** Waits until all changes have been reported, which happens when they are on disk. */
async function allTold({ store, told }: RecordingArena): Promise<void> {
  const isTold = (id: string, status: RecordingStatus) =>
    told.findLast((line) => line.startsWith(`${id} `)) === `${id} ${status}`;
  const behind = () =>
    [...new Set(told.map((line) => line.split(' ')[0] ?? ''))].filter((id) => {
      const status = store.recordings.get(id)?.status;
      return status !== undefined && !isTold(id, status);
    });
  for (let turns = 0; turns < 100 && behind().length > 0; turns++)
    await new Promise((resolve) => setImmediate(resolve));
}

/** Checks the invariants that hold whenever all changes have been reported. */
function checkAlways({ arena, byKey }: Real): void {
  const statuses = new Map<string, RecordingStatus>();
  for (const line of arena.told) {
    const [id = '', to] = line.split(' ') as [string, RecordingStatus];
    const from = statuses.get(id);
    if (from === undefined ? to !== 'starting' : !canTransition({ status: from, nextAttemptAtMs: 1 }, to)) {
      throw new Error(`${id} was told to go from ${from} to ${to}`);
    }
    statuses.set(id, to);
  }
  const sessions = new Map<string, number>();
  for (const [id, told] of statuses) {
    const row = arena.store.recordings.get(id);
    if (row?.status !== told) throw new Error(`${id} is ${row?.status}, and ${told} was told`);
    const events = arena.store.recordingEvents.list(id);
    if (events.at(-1)?.status !== row.status) throw new Error(`the last event of ${id} is of another status`);
    if (isActive(row.status) && row.tries <= 1) sessions.set(row.sessionId, (sessions.get(row.sessionId) ?? 0) + 1);
    if (row.idempotencyKey !== undefined) {
      const place = `${row.sessionId} ${row.idempotencyKey}`;
      if ((byKey.get(place) ?? id) !== id) throw new Error(`${place} made two recordings`);
      byKey.set(place, id);
    }
  }
  for (const [session, count] of sessions) if (count > 1) throw new Error(`${session} has ${count} active recordings`);
}

const at = <T>(items: readonly T[], index: number): T | undefined => items[index % Math.max(1, items.length)];

const start = (place: number, key: number) =>
  command(`start ${place} key ${key}`, (real) => {
    const session = at(real.sessions, place);
    if (!session) return;
    const name = key === 0 ? undefined : `key ${key}`;
    const started = real.arena.services.recordings.start(session, name).then(
      ({ record }) => void real.acknowledged.add(record.id),
      (error) => {
        // A killed server's callers hear nothing; the arena's hear of the closed database.
        if (error instanceof ServiceError && !REFUSALS.includes(error.code)) throw error;
      },
    );
    real.pending.push(started);
  });

const stop = (place: number) =>
  command(`stop ${place}`, (real) => {
    const session = at(real.sessions, place);
    const newest = session && real.arena.services.recordings.list(session.facts.id, WHOLE).items[0];
    if (!session || !newest) return;
    real.pending.push(real.arena.services.recordings.stop(session.facts.id, newest.id).catch(() => undefined));
  });

const wait = command('wait for all answers', (real) => settle(real));

async function settle({ arena, pending }: Real): Promise<void> {
  let over = false;
  const all = Promise.all(pending.splice(0)).finally(() => {
    over = true;
  });
  // A call without an answer times out.
  await arena.until(() => over || arena.clock.waiting > 0);
  for (let tries = 0; !over && tries < 200; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    if (tries > 20) await arena.clock.advance(1_000);
  }
  await all;
}

const release = (place: number) =>
  command(`release ${place}`, async (real) => {
    const session = at(real.sessions, place);
    if (!session) return;
    (session as { status: string }).status = 'releasing';
    real.pending.push(real.arena.services.recordings.endOf(session.facts.id));
    await settle(real);
    const active = real.arena.store.recordings.active(session.facts.id);
    if (active && active.tries <= 1 && active.status !== 'finalizing') throw new Error(`${active.id} was left behind`);
    real.sessions = real.sessions.map((one) =>
      one === session ? real.arena.session(`ses_${++real.lastSession}`) : one,
    );
  });

const ends = ['limit', 'headroom', 'device_lost', 'encoder_failed'] as const;
const endByItself = (place: number, how: (typeof ends)[number]) =>
  command(`${how} ${place}`, (real) => {
    const capture = at(real.sessions, place)?.device.captures.at(-1);
    if (capture && capture.stops === 0) {
      capture.end(how === 'limit' || how === 'headroom' ? how : fault({ stage: 'capture', code: how }));
    }
  });

const finisherFails = (code: 'storage_full' | 'container_invalid') =>
  command(`the finisher will fail: ${code}`, ({ arena }) => {
    arena.finisher.faults.push(fault({ code, retryable: code === 'storage_full' }));
  });

const hostFails = (place: number, fails: boolean) =>
  command(`starts fail ${place} ${fails}`, (real) => {
    const session = at(real.sessions, place);
    if (session)
      session.device.startFault = fails ? fault({ code: 'capture_start_failed', stage: 'prepare' }) : undefined;
  });

const pass = (ms: number) => command(`${ms} ms pass`, ({ arena }) => arena.clock.advance(ms));
const jump = (ms: number) => command(`the wall clock jumps ${ms} ms`, ({ arena }) => arena.clock.jumpWall(ms));

const kill = command('kill -9 and start again', async (real) => {
  await settle(real);
  real.arena.restart();
  await firstSweep(real.arena);
  real.sessions = real.sessions.map(() => real.arena.session(`ses_${++real.lastSession}`));
});

/** A server remembers the time that it started with. */
async function firstSweep(arena: RecordingArena): Promise<void> {
  await arena.clock.advance(1);
  await arena.until(() => arena.clock.waiting > 0, 'the first sweep to end');
}

const place = fc.nat(1);
const commands = [
  fc.tuple(place, fc.nat(2)).map(([where, key]) => start(where, key)),
  fc.tuple(place, fc.nat(2)).map(([where, key]) => start(where, key)),
  place.map(stop),
  fc.constant(wait),
  place.map(release),
  fc.tuple(place, fc.constantFrom(...ends)).map(([where, how]) => endByItself(where, how)),
  fc.constantFrom('storage_full' as const, 'container_invalid' as const).map(finisherFails),
  fc.tuple(place, fc.boolean()).map(([where, fails]) => hostFails(where, fails)),
  fc.constantFrom(1, 2_000, 60_000).map(pass),
  fc.constantFrom(-3_600_000, 3_600_000, 86_400_000_000).map(jump),
  fc.constant(kill),
];

/** In the end nothing is unfinished, nothing that was acknowledged is missing, and no file lies about. */
async function checkEnd(real: Real): Promise<void> {
  const { arena } = real;
  await settle(real);
  for (const { facts } of real.sessions) await arena.services.recordings.endOf(facts.id);
  arena.finisher.faults.length = 0;
  // Files take real time between two tries, more of it on a busy machine.
  for (let minutes = 0; minutes < 1_000 && arena.store.recordings.unsettled().length > 0; minutes++) {
    await arena.clock.advance(60_000);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await arena.until(() => arena.store.recordings.unsettled().length === 0, 'every recording to come to rest');
  await allTold(arena);
  checkAlways(real);
  const ready = [];
  for (const id of real.acknowledged) {
    const row = arena.row(id);
    if (row.status === 'ready') ready.push(`${id}.mp4`);
    else if (row.status !== 'failed' || !row.failure) throw new Error(`${id} ended as ${row.status}`);
  }
  const all = [...new Set(arena.told.map((line) => line.split(' ')[0] ?? ''))];
  const kept = all.filter((id) => arena.row(id).status === 'ready').map((id) => `${id}.mp4`);
  await arena.until(() => arena.files.every((name) => kept.includes(name)), 'files of others to go');
  if (arena.files.length !== kept.length) throw new Error('a ready recording has no file');
  if (!ready.every((name) => kept.includes(name))) throw new Error('an acknowledged recording has no file');
}

t.test('every recording tells its true state and ends, for any order of events', async (t) => {
  const folder = t.testdir();
  let runs = 0;
  // A busy machine gets through fewer histories. Each one that has begun goes on to its end.
  const lastStartMs = performance.now() + 25_000;
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 40, size: 'max' }), async (plan) => {
      if (performance.now() > lastStartMs) return;
      const arena = new RecordingArena(`${folder}/${++runs}`);
      try {
        arena.services.begin();
        await firstSweep(arena);
        const sessions = [arena.session('ses_1'), arena.session('ses_2')];
        const real: Real = {
          arena,
          sessions,
          byKey: new Map(),
          acknowledged: new Set(),
          pending: [],
          lastSession: 2,
        };
        await fc.asyncModelRun(() => ({ model: {}, real }), plan);
        await checkEnd(real);
      } finally {
        arena.kill();
      }
    }),
    { numRuns: Number(process.env.RUNCLOUD_MODEL_RUNS ?? 60) },
  );
  t.comment(`${operations} operations in ${runs} histories`);
  t.ok(operations > 600, `${operations} operations`);
});
