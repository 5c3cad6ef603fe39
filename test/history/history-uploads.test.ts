import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '@runcloud/protocol/terms';
import t, { type Test } from 'tap';
import { HistoryUploads, SETTLED_MS } from '../../server/history/history-uploads.ts';
import { databasePath } from '../../server/store/database.ts';
import { Store } from '../../server/store/store.ts';
import { account } from '../store/open-store.ts';
import { sessionRow } from '../store/session-rows.ts';
import { FakeClock } from '../support/fake-clock.ts';

const SHA = 'a'.repeat(64);

/** Uploads of a host's sessions into a store that can be away, or refuse some. */
function open(t: Test) {
  const dataDir = t.testdir();
  const folder = join(dataDir, 'histories');
  const clock = new FakeClock();
  const stored = new Map<string, string>();
  const faults: string[] = [];
  const trouble = { isAway: false, refused: new Set<string>(), asked: 0 };
  let store: Store;
  let uploads: HistoryUploads;
  /** Done between the upload of an object and the mark of it. */
  const hooks = { stored: (_id: string) => undefined as unknown };
  const start = () => {
    store = new Store(databasePath(dataDir));
    uploads = new HistoryUploads({
      sessions: store.sessions,
      history: {
        copy: async (id, path) => {
          writeFileSync(path, `history of ${id}`);
          return { byteSize: 5, sha256: SHA };
        },
      },
      objects: {
        put: async (id, file) => {
          trouble.asked++;
          if (trouble.isAway) throw new Error('the store is away');
          if (trouble.refused.has(id)) throw new Error(`${id} is refused`);
          stored.set(id, readFileSync(file, 'utf8'));
          hooks.stored(id);
        },
        remove: async (id) => void stored.delete(id),
        isReachable: async () => !trouble.isAway,
      },
      folder,
      commit: async (task) => task(),
      clock,
      random: () => 1,
      onFault: (error) => void faults.push(String(error)),
    });
    uploads.begin();
  };
  const stop = () => {
    uploads.close();
    store.close();
  };
  start();
  t.teardown(stop);
  const end = (id: string, releasedAtMs = Math.floor(clock.wallMs())) => {
    if (!store.accounts.byId('acc_acme')) store.accounts.insert(account('acme'));
    store.sessions.insert(sessionRow({ id, status: 'released', releasedAtMs }));
    uploads.ended();
  };
  return {
    clock,
    folder,
    stored,
    faults,
    trouble,
    hooks,
    end,
    restart: () => {
      stop();
      start();
    },
    forget: (id: string) => {
      const [kind] = store.ended().filter(({ name }) => name.startsWith('session '));
      kind?.step({ endedAtMs: 0, number: 0 }, Number.MAX_SAFE_INTEGER);
      return store.sessions.byId(id) === undefined;
    },
    historyOf: (id: string) => store.sessions.byId(id)?.history,
    live: (id: string) => store.sessions.insert(sessionRow({ id })),
    /** Lets time pass, and the files of the copies come and go. */
    pass: async (ms = 2 * SETTLED_MS) => {
      await clock.advance(ms);
      do await sleep(50);
      while (readdirSync(folder).length > 0);
    },
  };
}

t.test('each session that has ended is stored once, soon after, and its record says so', async (t) => {
  const { clock, end, live, pass, stored, historyOf, folder, trouble, faults } = open(t);
  end('ses_1');
  live('ses_live');
  await pass(SETTLED_MS / 2);
  // It would put off the first one for ever if it began the wait anew.
  end('ses_2');
  t.equal(stored.size, 0);
  await pass(SETTLED_MS);
  await pass();
  t.same(
    [...stored],
    ['ses_1', 'ses_2'].map((id) => [id, `history of ${id}`]),
  );
  t.same(historyOf('ses_1'), { byteSize: 5, sha256: SHA });
  t.equal(historyOf('ses_live'), undefined);
  t.same(readdirSync(folder), [], 'no file is left');
  end('ses_old', Math.floor(clock.wallMs()) - LIMITS.endedKeptMs - 1);
  await pass();
  await pass(120_000);
  t.equal(stored.size, 2, 'what is about to be forgotten is not stored');
  t.equal(trouble.asked, 2);
  t.same(faults, []);
});

t.test('a store that is away is asked again, ever less often, and all of it is stored when it is back', async (t) => {
  const { end, pass, stored, trouble, faults } = open(t);
  trouble.isAway = true;
  for (const id of ['ses_1', 'ses_2']) end(id);
  for (let tries = 0; tries < 10; tries++) await pass(60_000);
  t.ok(trouble.asked > 4 && trouble.asked < 12, `${trouble.asked} calls in ten minutes`);
  t.same(faults, ['Error: the store is away'], 'told once');
  trouble.isAway = false;
  await pass(120_000);
  t.same([...stored.keys()], ['ses_1', 'ses_2']);
});

t.test('a history that the store refuses keeps no other from it', async (t) => {
  const { end, pass, stored, trouble, faults } = open(t);
  trouble.refused.add('ses_1');
  for (const id of ['ses_1', 'ses_2', 'ses_3']) end(id);
  await pass();
  t.same([...stored.keys()], ['ses_2', 'ses_3']);
  t.same(faults, ['Error: ses_1 is refused']);
  trouble.refused.clear();
  await pass(120_000);
  t.ok(stored.has('ses_1'));
});

t.test('what a process that was killed has not stored, or not marked, is stored by the next one', async (t) => {
  const { end, pass, stored, restart, historyOf, hooks, folder } = open(t);
  end('ses_1');
  writeFileSync(join(folder, 'ses_0.db'), 'left');
  restart();
  t.notOk(existsSync(join(folder, 'ses_0.db')));
  hooks.stored = () => {
    hooks.stored = () => undefined;
    restart();
  };
  await pass(SETTLED_MS);
  t.ok(stored.has('ses_1'));
  t.equal(historyOf('ses_1'), undefined, 'it was killed before the mark');
  await pass();
  t.ok(historyOf('ses_1'));
});

t.test('the object of a session that is forgotten meanwhile goes', async (t) => {
  const { end, pass, stored, hooks, forget } = open(t);
  hooks.stored = (id) => t.ok(forget(id));
  end('ses_1');
  await pass();
  t.equal(stored.size, 0);
});
