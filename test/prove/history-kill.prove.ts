import t from 'tap';
import { proveHistoryKills } from '../support/history-kills.ts';
import { temporaryDataDir } from '../support/server-process.ts';

/** `RUNCLOUD_KILLS` says how often the service is killed (200). */
const count = Number(process.env.RUNCLOUD_KILLS ?? 200);

t.test(
  `${count} kills in the middle of traffic lose at most a second of the history each, and contradict nobody`,
  async (t) => {
    await proveHistoryKills(t, count, Math.random, () => {
      const dataDir = temporaryDataDir();
      t.teardown(dataDir.remove);
      return dataDir.path;
    });
  },
);
