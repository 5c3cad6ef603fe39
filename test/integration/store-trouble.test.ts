import { performance } from 'node:perf_hooks';
import Sqlite from 'better-sqlite3';
import t from 'tap';
import { Accounts } from '../../server/account/accounts.ts';
import { systemClock } from '../../server/flow/clock.ts';
import { databasePath } from '../../server/store/database.ts';
import { Store } from '../../server/store/store.ts';
import { type Answered, type Change, prepareChanges } from '../support/changes.ts';
import { ControlClient } from '../support/control-client.ts';
import { RestClient } from '../support/rest-client.ts';
import { serverProgram, temporaryDataDir } from '../support/server-process.ts';
import { SmallDisk, withoutMounts } from '../support/troubled-disk.ts';

const KEY = 'a-key-that-only-this-test-knows';

interface Timed extends Answered {
  readonly change: Change;
  readonly ms: number;
}

async function start(t: { teardown(task: () => void): void }, dataDir: string) {
  const server = serverProgram(dataDir, {
    RUNCLOUD_API_KEY: KEY,
    RUNCLOUD_DEVICES: 'virtual-ios:8,virtual-android:1',
    RUNCLOUD_DISK_HEADROOM: '1/1',
    RUNCLOUD_LOG: 'fatal',
    RUNCLOUD_RATE_LIMIT: 'off',
  });
  t.teardown(() => server.signal('SIGKILL'));
  const url = await server.ready();
  const inStore = <T>(use: (store: Store) => T): T => {
    const store = new Store(databasePath(dataDir));
    try {
      return use(store);
    } finally {
      store.close();
    }
  };
  const rest = new RestClient(url, KEY);
  const accountId = inStore((store) => store.accounts.byName('local')?.id ?? '');
  return { server, url, rest, inStore, accountId, changes: () => prepareChanges(rest, dataDir, accountId) };
}

async function timed(change: Change): Promise<Timed> {
  const startedMs = performance.now();
  const answered = await change.ask();
  return { ...answered, change, ms: performance.now() - startedMs };
}

/** Another account's taps, one after the other, until told to stop; gives how long each took. */
async function tapping(url: string, key: string) {
  const rest = new RestClient(url, key);
  const session = await rest.createSession('android');
  const client = await ControlClient.connect(url, session, rest.authorization);
  let tap = 0;
  return async (until: Promise<unknown>): Promise<number[]> => {
    let over = false;
    void until.finally(() => {
      over = true;
    });
    const tookMs: number[] = [];
    while (!over) {
      const startedMs = performance.now();
      const { status } = await client.interact({ requestId: `tap-${tap++}`, action: 'tap', x: 0.5, y: 0.5 });
      if (status !== 'completed') throw new Error(`a tap ended ${status}`);
      tookMs.push(performance.now() - startedMs);
    }
    return tookMs;
  };
}

const p99 = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

t.test(
  'while another program holds the database, changes are refused in time, for a while, and taps go on',
  async (t) => {
    const dataDir = temporaryDataDir();
    t.teardown(dataDir.remove);
    const { url, rest, inStore, changes } = await start(t, dataDir.path);
    const other = inStore((store) => new Accounts(store, systemClock).create('other').key);
    const tapUntil = await tapping(url, other);
    const prepared = await changes();
    const makeKeys: Change = {
      name: 'make a key',
      ask: async () => {
        const { status, headers } = await rest.call('POST', '/service/account/keys', { name: 'many' });
        return { status, retryAfter: headers.get('retry-after'), code: undefined, body: {} };
      },
      isKept: () => true,
    };
    const many = async (): Promise<number> => {
      const tookMs: number[] = [];
      for (let made = 0; made < 60; made++) tookMs.push((await timed(makeKeys)).ms);
      return Math.max(...tookMs);
    };
    const free = many();
    const freeTaps = await tapUntil(free);
    const slowestMs = await free;

    const holder = new Sqlite(databasePath(dataDir.path), { timeout: 1_000 });
    t.teardown(() => holder.close());
    holder.exec('BEGIN IMMEDIATE');
    const held = pause(3_000);
    const taps = tapUntil(held);
    const answers: Timed[] = await Promise.all(prepared.map(timed));
    const [key] = prepared;
    let reads = 0;
    while (key && reads < 4) {
      answers.push(await timed(key));
      t.equal((await rest.call('GET', '/service/sessions')).status, 200, 'what only reads goes on');
      reads++;
    }
    await held;
    holder.exec('ROLLBACK');

    for (const { change, status, code, retryAfter, ms } of answers) {
      t.strictSame([status, code, retryAfter], [503, 'store_unavailable', '1'], change.name);
      t.ok(ms < 500 + slowestMs, `${change.name}: ${Math.round(ms)} ms`);
    }
    const [freeMs, heldMs] = [p99(freeTaps), p99(await taps)];
    t.comment(`taps: p99 ${freeMs.toFixed(1)} ms with changes, ${heldMs.toFixed(1)} ms with changes that wait`);
    t.ok(heldMs < Math.max(2 * freeMs, freeMs + 25), `p99 ${heldMs} ms, free ${freeMs} ms`);

    for (const change of prepared) {
      const { status, body } = await timed(change);
      t.ok(status < 300, `${change.name}, repeated: ${status} ${JSON.stringify(body)}`);
      t.ok(
        inStore((store) => change.isKept(store, body)),
        change.name,
      );
    }
  },
);

t.test(
  'a disk that is full at any write of any change loses nothing that was acknowledged, and passes',
  {
    skip: withoutMounts(),
  },
  async (t) => {
    const dataDir = temporaryDataDir();
    t.teardown(dataDir.remove);
    const disk = new SmallDisk(dataDir.path, 24 * 1_024);
    t.teardown(() => disk.remove());
    const { inStore, changes, rest, url, accountId } = await start(t, dataDir.path);
    const session = await rest.createSession('android');
    const client = await ControlClient.connect(url, session, rest.authorization);
    const outcomes = { kept: 0, refused: 0 };
    let taps = 0;
    // Each change writes a few pages: in the first round not even the first fits, in the last all of them do.
    for (const pages of [0, 1, 3, 24]) {
      for (const change of await changes()) {
        disk.fill();
        disk.leave(pages * 4_096);
        const { status, code, body } = await timed(change);
        const what = `${change.name} with ${pages} pages left: ${status} ${code ?? ''}`;
        if (status < 300) outcomes.kept++;
        else {
          outcomes.refused++;
          t.equal(status, 503, what);
          t.match(code, /^(store_unavailable|recording_capacity_unavailable)$/, what);
        }
        t.match(await client.interact({ requestId: `tap-${taps++}`, action: 'tap', x: 0.5, y: 0.5 }), {
          ok: true,
        });
        disk.relieve();
        if (status < 300)
          t.ok(
            inStore((store) => change.isKept(store, body)),
            what,
          );
        else {
          const again = await timed(change);
          t.ok(again.status < 300, `${what}, repeated: ${again.status} ${JSON.stringify(again.body)}`);
          t.ok(
            inStore((store) => change.isKept(store, again.body)),
            what,
          );
        }
      }
      const live = inStore((store) =>
        store.sessions.list(accountId, { status: 'active', platform: 'ios' }, { limit: 50 }),
      );
      for (const { id } of live.items) await rest.releaseSession(id);
    }
    t.comment(JSON.stringify(outcomes));
    t.ok(outcomes.kept > 0 && outcomes.refused > 0);
    t.equal((await fetch(`${url}/readyz`)).status, 200);
  },
);
