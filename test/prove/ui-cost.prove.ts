import { setTimeout as sleep } from 'node:timers/promises';
import type { Platform, SessionRecord } from '@runcloud/protocol';
import t from 'tap';
import { percentile } from '../screen/link-simulator.ts';
import { ControlClient } from '../support/control-client.ts';
import { RestClient } from '../support/rest-client.ts';
import { ScreenWatcher } from '../support/screen-watcher.ts';
import { TEST_KEY } from '../support/server.ts';
import { serverProgram, temporaryDataDir } from '../support/server-process.ts';

/** Rounds with reads of the screen and without them take turns, so that whatever else the machine does meets both. */
const ROUNDS = 10;
const TAPS = 300;
const TAP_EACH_MS = 10;
/** As often as ten agents look. */
const READ_EACH_MS = 50;
/** What reads may do to a tap's p99, and how long one may take. */
const TIMES_MAX = 1.2;
const READ_MS_MAX = 5;

const dataDir = temporaryDataDir();
t.teardown(dataDir.remove);
const program = serverProgram(dataDir.path, { RUNCLOUD_API_KEY: TEST_KEY, RUNCLOUD_RATE_LIMIT: 'off' });
t.teardown(() => program.signal('SIGKILL'));
const rest = new RestClient(await program.ready(), TEST_KEY);
const middle = (values: readonly number[]) => percentile(values, 0.5);

async function timed(act: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await act();
  return performance.now() - startMs;
}

/** Taps at a pace, whatever the answers take; resolves with what each took. */
async function taps(session: SessionRecord): Promise<number[]> {
  const client = await ControlClient.connect(rest.url, session, rest.authorization);
  const all: Promise<number>[] = [];
  const startMs = performance.now();
  for (let count = 0; count < TAPS; count++) {
    await sleep(Math.max(0, startMs + count * TAP_EACH_MS - performance.now()));
    const requestId = `tap-${count}`;
    all.push(timed(() => client.interact({ requestId, action: 'tap', x: 0.5, y: 0.6, acks: 'final' })));
  }
  const times = await Promise.all(all);
  await client.close();
  return times;
}

/** Reads the screen again and again until the taps are done; resolves with what each took. */
async function reads(session: SessionRecord, isDone: () => boolean): Promise<number[]> {
  const client = await ControlClient.connect(rest.url, session, rest.authorization);
  const times: number[] = [];
  while (!isDone()) {
    const requestId = `ui-${times.length}`;
    client.send({ type: 'ui', requestId });
    times.push(await timed(() => client.result(requestId)));
    await sleep(READ_EACH_MS);
  }
  await client.close();
  return times;
}

for (const platform of ['ios', 'android'] as const satisfies readonly Platform[]) {
  t.test(
    `reads of a moving, watched screen do nothing to a tap's p99, on ${platform}`,
    { timeout: 600_000 },
    async (t) => {
      const session = await rest.createSession(platform);
      await rest.interact(session, { action: 'tapElement', target: { text: 'Motion' } });
      const watcher = await ScreenWatcher.connect(rest.url, session, { authorization: rest.authorization });
      watcher.send({ type: 'screen.start', encodings: ['h264'] });
      await watcher.until('a picture', () => watcher.packets.length > 0);
      await taps(session);
      const [alone, beside, readMs]: [number[], number[], number[]] = [[], [], []];
      const seen = watcher.packets.length;
      for (let round = 0; round < ROUNDS; round++) {
        alone.push(percentile(await taps(session), 0.99));
        let isDone = false;
        const reading = reads(session, () => isDone);
        beside.push(percentile(await taps(session), 0.99));
        isDone = true;
        readMs.push(...(await reading));
      }
      const times = middle(beside) / middle(alone);
      const told = `tap p99 ${middle(alone).toFixed(2)} ms alone, ${times.toFixed(2)} times that beside reads`;
      t.comment(`${told}; a read p50 ${middle(readMs).toFixed(2)} ms, p99 ${percentile(readMs, 0.99).toFixed(2)} ms`);
      t.ok(watcher.packets.length > seen + ROUNDS * TAPS * 0.1, 'the screen was streamed meanwhile');
      t.ok(readMs.length > ROUNDS * 20, `${readMs.length} reads`);
      t.ok(times <= TIMES_MAX, told);
      t.ok(middle(readMs) <= READ_MS_MAX, `a read takes ${middle(readMs).toFixed(2)} ms`);
      watcher.close();
      await rest.releaseSession(session.id);
    },
  );
}
