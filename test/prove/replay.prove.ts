import t from 'tap';
import { replayOnce } from '../support/replays.ts';
import { startServer } from '../support/server.ts';

/**
 * `RUNCLOUD_INPUTS` says how many: as many as an hour has seconds (3,600). Each waits for a still picture: of thousands that do
 * not, one meets a phone that is still moving, and is taken otherwise.
 */
const count = Number(process.env.RUNCLOUD_INPUTS ?? 3_600);

const server = await startServer();
t.teardown(() => server.close());

t.test(
  `${count} inputs that are replayed as fast as it goes, each at a still picture, lead to the same picture`,
  async (t) => {
    for (const platform of ['ios', 'android'] as const) {
      await replayOnce(t, server, { platform, count, random: Math.random, settles: true });
    }
  },
);
