import { setTimeout as sleep } from 'node:timers/promises';
import { KEYS } from '@runcloud/protocol';
import t from 'tap';
import { seeded } from '../conformance/random.ts';
import { MacProcess } from '../support/ios/mac-process.ts';
import { RestClient } from '../support/rest-client.ts';
import { serverProgram, temporaryDataDir } from '../support/server-process.ts';

/**
 * Times of arrival at a simulator's helper in a process of its own, from a server in another: what a gesture's delays and
 * the holds of keys and buttons come to. The figures hold for an idle machine; bare timers beside them tell how idle it is.
 */
const MODEL = 'iPhone Stand-In';
const KEY = 'a-key-that-only-this-proof-knows';
const GESTURES = 20;
const STEPS = 60;
const DELAY_MS_MAX = 40;
const HOLDS = 100;
const HOLD_MS_MAX = 200;
const TIMER_MS = 20;
const DELAY_ERROR_MS_MAX = 5;
const HOLD_ERROR_MS_MAX = 10;

const random = seeded(5);
const between = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));

/** The value below which this share of the values lies. */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

const figures = (errors: readonly number[]) =>
  `p50 ${quantile(errors, 0.5).toFixed(2)} ms, p99 ${quantile(errors, 0.99).toFixed(2)} ms, most ${Math.max(...errors).toFixed(2)} ms`;

function gesture(delaysMs: readonly number[], fingers: number) {
  const count = delaysMs.length + 1;
  const steps = Array.from({ length: count }, (_, index) => ({
    phase: index === 0 ? 'begin' : index === count - 1 ? 'end' : 'move',
    points: [0.3, 0.7].slice(0, fingers).map((x) => ({ x, y: 0.1 + (0.8 * index) / count })),
    delayMs: delaysMs[index] ?? 0,
  }));
  return { action: 'gesture', steps };
}

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
    for (let count = 0; count < 3; count++) await perform(gesture(Array(20).fill(20), 1));
    await mac.arrivals(MODEL);

    const timerErrors: number[] = [];
    let over = false;
    const timers = (async () => {
      while (!over) {
        const begun = performance.now();
        await sleep(TIMER_MS);
        timerErrors.push(Math.abs(performance.now() - begun - TIMER_MS));
      }
    })();
    const delayErrors: number[] = [];
    for (let count = 0; count < GESTURES; count++) {
      const delaysMs = Array.from({ length: STEPS - 1 }, () => between(1, DELAY_MS_MAX));
      await perform(gesture(delaysMs, helper === 'serve-sim' ? 1 + (count % 2) : 1));
      const arrived = await mac.arrivals(MODEL);
      t.equal(arrived.length, STEPS, 'every step is one report');
      for (const [index, ms] of delaysMs.entries()) {
        const waitedMs = (arrived[index + 1]?.atMs ?? 0) - (arrived[index]?.atMs ?? 0);
        delayErrors.push(Math.abs(waitedMs - ms));
      }
    }

    const holdErrors: number[] = [];
    for (let count = 0; count < HOLDS; count++) {
      const durationMs = between(20, HOLD_MS_MAX);
      const what =
        count % 4 === 0
          ? { action: 'pressButton', button: 'sideButton' }
          : { action: 'pressKey', key: KEYS[count % KEYS.length] };
      await perform({ ...what, durationMs });
      const [down, up, ...more] = await mac.arrivals(MODEL);
      t.same(more, []);
      holdErrors.push(Math.abs((up?.atMs ?? 0) - (down?.atMs ?? 0) - durationMs));
    }

    over = true;
    await timers;
    t.comment(`${delayErrors.length} delays of gestures are off by: ${figures(delayErrors)}`);
    t.comment(`${holdErrors.length} holds are off by: ${figures(holdErrors)}`);
    t.comment(`${timerErrors.length} bare timers beside them are off by: ${figures(timerErrors)}`);
    const timerMs = quantile(timerErrors, 0.99);
    t.ok(quantile(delayErrors, 0.99) <= DELAY_ERROR_MS_MAX + timerMs, 'delays are within 5 ms at p99, beside timers');
    t.ok(quantile(holdErrors, 0.99) <= HOLD_ERROR_MS_MAX + timerMs, 'holds are within 10 ms at p99, beside timers');
  });
}
