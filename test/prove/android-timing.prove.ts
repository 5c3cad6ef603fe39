import { setTimeout as sleep } from 'node:timers/promises';
import { KEYS, LOCK_KEYS } from '@runcloud/protocol';
import t from 'tap';
import { seeded } from '../conformance/random.ts';
import { arrivedDelays, arrivedHolds, quantile, timedGesture } from '../support/android/arrival-times.ts';
import { emulatorHost } from '../support/android/emulator-host.ts';
import { hasAdb } from '../support/android/has-adb.ts';
import { RestClient } from '../support/rest-client.ts';
import { serverProgram, temporaryDataDir } from '../support/server-process.ts';

/**
 * Times of arrival at an emulator in a process of its own, from a server in another: what a gesture's delays and the holds
 * of keys and buttons come to. The figures hold for an idle machine; a bare timer beside them tells how idle it is.
 */
const skip = hasAdb ? false : 'NO ADB: Android devices are NOT tested';
const GESTURES = 20;
const STEPS = 60;
const DELAY_MS_MAX = 40;
const HOLDS = 120;
const HOLD_MS_MAX = 200;
const DELAY_ERROR_MS_MAX = 5;
const HOLD_ERROR_MS_MAX = 10;
const AVD = 'Timed';
const KEY = 'a-key-that-only-this-proof-knows';

const random = seeded(5);
const between = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));
const figures = (errors: readonly number[]) =>
  `p50 ${quantile(errors, 0.5).toFixed(2)} ms, p99 ${quantile(errors, 0.99).toFixed(2)} ms, most ${Math.max(...errors).toFixed(2)} ms`;

t.test('delays and holds arrive as they were asked for', { skip, timeout: 600_000 }, async (t) => {
  const host = emulatorHost([AVD]);
  const dataDir = temporaryDataDir();
  const server = serverProgram(dataDir.path, {
    ...host.tools,
    RUNCLOUD_DEVICES: `android-emulator:${AVD}`,
    RUNCLOUD_API_KEY: KEY,
    RUNCLOUD_LOG: 'error',
  });
  t.teardown(async () => {
    server.signal('SIGTERM');
    await server.ended;
    dataDir.remove();
    host.remove();
  });
  const rest = new RestClient(await server.ready(), KEY);
  const session = await (async () => {
    for (let tries = 0; ; tries++) {
      try {
        return await rest.createSession('android');
      } catch (error) {
        if (tries === 100) throw error;
        await sleep(200);
      }
    }
  })();
  const perform = async (body: object) => {
    const { body: answer } = await rest.interact(session, body as Parameters<typeof rest.interact>[1]);
    if (answer.status !== 'completed') throw new Error(JSON.stringify(answer));
  };
  const written = () => sleep(200);
  for (let count = 0; count < 3; count++) await perform(timedGesture(Array(20).fill(20), 1));
  await written();

  const delayErrors: number[] = [];
  for (let count = 0; count < GESTURES; count++) {
    const delaysMs = Array.from({ length: STEPS - 1 }, () => between(1, DELAY_MS_MAX));
    const before = host.journal(AVD).reports.length;
    await perform(timedGesture(delaysMs, count % 2 === 0 ? 1 : 2));
    await written();
    const arrived = arrivedDelays(host.journal(AVD).reports.slice(before));
    t.equal(arrived.length, delaysMs.length, 'every step is one report');
    arrived.forEach((ms, index) => {
      delayErrors.push(Math.abs(ms - (delaysMs[index] ?? 0)));
    });
  }

  const before = host.journal(AVD).keys.length;
  const holdsMs: number[] = [];
  const keys = KEYS.filter((key) => !LOCK_KEYS.includes(key));
  for (let count = 0; count < HOLDS; count++) {
    const durationMs = between(20, HOLD_MS_MAX);
    holdsMs.push(durationMs);
    const body =
      count % 4 === 0
        ? { action: 'pressButton', button: count % 8 === 0 ? 'volumeUp' : 'volumeDown', durationMs }
        : { action: 'pressKey', key: keys[count % keys.length], durationMs };
    await perform(body);
  }
  await written();
  const holds = arrivedHolds(host.journal(AVD).keys.slice(before));
  t.equal(holds.length, HOLDS);
  const holdErrors = holds.map((ms, index) => Math.abs(ms - (holdsMs[index] ?? 0)));

  const timerErrors: number[] = [];
  for (let count = 0; count < 400; count++) {
    const ms = between(1, DELAY_MS_MAX);
    const begun = performance.now();
    await sleep(ms);
    timerErrors.push(Math.abs(performance.now() - begun - ms));
  }
  t.comment(`${delayErrors.length} delays of gestures are off by: ${figures(delayErrors)}`);
  t.comment(`${holdErrors.length} holds are off by: ${figures(holdErrors)}`);
  t.comment(`${timerErrors.length} bare timers beside them are off by: ${figures(timerErrors)}`);
  t.ok(quantile(delayErrors, 0.99) <= DELAY_ERROR_MS_MAX, 'delays are within 5 ms at p99');
  t.ok(quantile(holdErrors, 0.99) <= HOLD_ERROR_MS_MAX, 'holds are within 10 ms at p99');
  t.same(host.journal(AVD).violations, []);
});
