import t from 'tap';
import { replayOnce } from '../support/replays.ts';
import { startServer } from '../support/server.ts';

const server = await startServer();
t.teardown(() => server.close());

t.test('a history that is replayed, each input at a still picture, leads to the same picture', async (t) => {
  // The long form is test/prove/replay.prove.ts.
  const platforms = ['ios', 'android'] as const;
  await Promise.all(platforms.map((platform) => replayOnce(t, server, { platform, count: 12, random: Math.random })));
});
