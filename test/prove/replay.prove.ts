import t from 'tap';
import { replayOnce } from '../support/replays.ts';
import { startServer } from '../support/server.ts';

/** `RUNCLOUD_INPUTS` says how many: as a person gives in an hour, one every three seconds (1,200). */
const count = Number(process.env.RUNCLOUD_INPUTS ?? 1_200);

const server = await startServer();
t.teardown(() => server.close());

t.test(
  `${count} inputs that are replayed as fast as it goes, each at a still picture, lead to the same picture`,
  async (t) => {
    const platforms = ['ios', 'android'] as const;
    const one = { count, random: Math.random };
    await Promise.all(platforms.map((platform) => replayOnce(t, server, { ...one, platform })));
  },
);
