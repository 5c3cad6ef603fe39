import { setTimeout as sleep } from 'node:timers/promises';
import { KEYS } from '@runcloud/protocol';
import t from 'tap';
import { seeded } from '../conformance/random.ts';
import { MacProcess } from '../support/ios/mac-process.ts';
import { isQuiet, watchTimers } from '../support/late-timers.ts';
import { RestClient } from '../support/rest-client.ts';
import { serverProgram, temporaryDataDir } from '../support/server-process.ts';

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
/** Of all measurements, at least this share has to count: a machine that is never idle proves nothing. */
const COUNTED_MIN = 0.3;
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

    const delayErrors: number[] = [];
    for (let count = 0; count < GESTURES; count++) {
      const delaysMs = Array.from({ length: STEPS - 1 }, () => between(1, DELAY_MS_MAX));
      const probe = watchTimers();
      await perform(gesture(delaysMs, helper === 'serve-sim' ? 1 + (count % 2) : 1));
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

    const all = GESTURES * (STEPS - 1);
    t.comment(`${delayErrors.length} of ${all} delays count, and are off by: ${figures(delayErrors)}`);
    t.comment(`${holdErrors.length} of ${HOLDS} holds count, and are off by: ${figures(holdErrors)}`);
    t.ok(delayErrors.length >= all * COUNTED_MIN, 'the machine was idle often enough for delays');
    t.ok(holdErrors.length >= HOLDS * COUNTED_MIN, 'the machine was idle often enough for holds');
    t.ok(quantile(delayErrors, 0.99) <= DELAY_ERROR_MS_MAX, 'delays are within 5 ms at p99');
    t.ok(quantile(holdErrors, 0.99) <= HOLD_ERROR_MS_MAX, 'holds are within 10 ms at p99');
  });
}
