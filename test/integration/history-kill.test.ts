import t from 'tap';
import { proveHistoryKills } from '../support/history-kills.ts';
import { temporaryDataDir } from '../support/server-process.ts';

t.test(
  'a service that is killed in the middle of traffic loses at most a second of the history, and contradicts nobody',
  async (t) => {
    // The long form is test/prove/history-kill.prove.ts.
    await proveHistoryKills(t, 5, Math.random, () => {
      const dataDir = temporaryDataDir();
      t.teardown(dataDir.remove);
      return dataDir.path;
    });
  },
);
