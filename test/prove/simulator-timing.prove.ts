import { setTimeout as sleep } from 'node:timers/promises';
import { KEYS } from '@runcloud/protocol/terms';
import t from 'tap';
import { seeded } from '../conformance/random.ts';
import { MacProcess } from '../support/ios/mac-process.ts';
import { isQuiet, watchTimers } from '../support/late-timers.ts';
import { RestClient } from '../support/rest-client.ts';
import { serverProgram, temporaryDataDir } from '../support/server-process.ts';
import { judgeTimes, timedGesture } from '../support/timing-figures.ts';

/**
 * Times of arrival at a simulator's helper in a process of its own, from a server in another: what a gesture's delays and
 * the holds of keys and buttons come to. The figures hold for an idle machine: what is measured while a bare timer beside it is late
 * does not count, and is told.
 */
const MODEL = 'iPhone Stand-In';
const KEY = 'a-key-that-only-this-proof-knows';
const GESTURES = 20;
const STEPS = 60;
const DELAY_MS_MAX = 40;
const HOLDS = 150;
const HOLD_MS_MAX = 200;

const random = seeded(5);
const between = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));

for (const helper of ['serve-sim', 'idb_companion'] as const) {
  t.test(`${helper}: delays and holds arrive as they were asked for`, { timeout: 300_000 }, async (t) => {
    const mac = await MacProcess.start({ helpers: [helper] });
    const dataDir = temporaryDataDir();
    const server = serverProgram(dataDir.path, {
      ...mac.tools,
      RUNCLOUD_DEVICES: `ios-simulator:${MODEL}`,
      RUNCLOUD_API_KEY: KEY,
      RUNCLOUD_LOG: 'error',
    });
    t.teardown(async () => {
      server.signal('SIGTERM');
      await server.ended;
      await mac.close();
      dataDir.remove();
    });
    const rest = new RestClient(await server.ready(), KEY);
    const session = await (async () => {
      for (let tries = 0; ; tries++) {
        try {
          return await rest.createSession('ios');
        } catch (error) {
          if (tries === 100) throw error;
          await sleep(200);
        }
      }
    })();
    const perform = async (body: object) => {
      const { body: answer } = await rest.interact(session, body);
      if (answer.status !== 'completed') throw new Error(JSON.stringify(answer));
    };
    for (let count = 0; count < 3; count++) await perform(timedGesture(Array(20).fill(20), 1));
    await mac.arrivals(MODEL);

    const delayErrors: number[] = [];
    for (let count = 0; count < GESTURES; count++) {
      const delaysMs = Array.from({ length: STEPS - 1 }, () => between(1, DELAY_MS_MAX));
      const probe = watchTimers();
      await perform(timedGesture(delaysMs, helper === 'serve-sim' && count % 2 === 1 ? 2 : 1));
      const busy = await probe.end();
      const arrived = await mac.arrivals(MODEL);
      t.equal(arrived.length, STEPS, 'every step is one report');
      for (const [index, ms] of delaysMs.entries()) {
        const span = { fromMs: arrived[index]?.atMs ?? 0, toMs: arrived[index + 1]?.atMs ?? 0 };
        if (isQuiet(span, busy)) delayErrors.push(Math.abs(span.toMs - span.fromMs - ms));
      }
    }

    const holdErrors: number[] = [];
    for (let count = 0; count < HOLDS; count++) {
      const durationMs = between(20, HOLD_MS_MAX);
      const what =
        count % 4 === 0
          ? { action: 'pressButton', button: 'sideButton' }
          : { action: 'pressKey', key: KEYS[count % KEYS.length] };
      const probe = watchTimers();
      await perform({ ...what, durationMs });
      const busy = await probe.end();
      const [down, up, ...more] = await mac.arrivals(MODEL);
      t.same(more, []);
      const span = { fromMs: down?.atMs ?? 0, toMs: up?.atMs ?? 0 };
      if (isQuiet(span, busy)) holdErrors.push(Math.abs(span.toMs - span.fromMs - durationMs));
    }

    judgeTimes(t, { asked: GESTURES * (STEPS - 1), errors: delayErrors }, { asked: HOLDS, errors: holdErrors });
  });
}
