import t from 'tap';
import { replayOnce } from '../support/replays.ts';
import { startServer } from '../support/server.ts';

const server = await startServer();
t.teardown(() => server.close());

t.test('a history that is replayed as fast as it goes leads to the same picture', async (t) => {
  // The long form is test/prove/replay.prove.ts.
  for (const platform of ['ios', 'android'] as const) {
    await replayOnce(t, server, { platform, count: 60, random: Math.random });
  }
});
