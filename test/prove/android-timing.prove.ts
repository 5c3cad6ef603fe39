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
 * of keys and buttons come to. The figures hold for an idle machine: what is measured while a bare timer beside it is late does
 * not count, and is told.
 */
const skip = hasAdb ? false : 'NO ADB: Android devices are NOT tested';
const GESTURES = 40;
/** Of which so many have to be found; a machine that is never idle proves nothing. */
const TRIES_MAX = 200;
/** A timer that is later than this, and than the library's whole milliseconds, waited for another program. */
const LATE_MS = 2.5;
const PROBE_MS = 3;
const STEPS = 30;
const DELAY_MS_MAX = 40;
const HOLD_ROUNDS = 60;
/** Few at a time: the longer a try takes, the rarer it is quiet throughout. */
const HOLDS = 2;
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
    RUNCLOUD_LOG: 'info',
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
        if (tries === 100) throw new Error(server.stderr + error);
        await sleep(200);
      }
    }
  })();
  const perform = async (body: object) => {
    const { body: answer } = await rest.interact(session, body as Parameters<typeof rest.interact>[1]);
    if (answer.status !== 'completed') throw new Error(JSON.stringify(answer));
  };
  /** The emulator writes down what arrived once nothing more comes. */
  const written = () => sleep(500);
  for (let count = 0; count < 3; count++) await perform(timedGesture(Array(20).fill(20), 1));
  await written();

  let busy = 0;
  /** Measures until it was quiet for so many of the tries. What arrived is read after the probe: reading is work itself. */
  const collect = async (count: number, begin: () => Measurement) => {
    const errors: number[][] = [];
    for (let tries = 0; errors.length < count && tries < TRIES_MAX; tries++) {
      const { input, read } = begin();
      const probe = watchTimers();
      await input();
      const lateMs = probe.end();
      await written();
      const measured = read();
      if (lateMs > LATE_MS) busy++;
      else errors.push([...measured]);
    }
    t.equal(errors.length, count, 'the machine was idle often enough');
    return errors.flat();
  };

  const delayErrors = await collect(GESTURES, () => {
    const delaysMs = Array.from({ length: STEPS - 1 }, () => between(1, DELAY_MS_MAX));
    const before = host.journal(AVD).reports.length;
    return {
      input: () => perform(timedGesture(delaysMs, random() < 0.5 ? 1 : 2)),
      read() {
        const arrived = arrivedDelays(host.journal(AVD).reports.slice(before));
        t.equal(arrived.length, delaysMs.length, 'every step is one report');
        return arrived.map((ms, index) => Math.abs(ms - (delaysMs[index] ?? 0)));
      },
    };
  });

  const keys = KEYS.filter((key) => !LOCK_KEYS.includes(key));
  let presses = 0;
  const holdErrors = await collect(HOLD_ROUNDS, () => {
    const before = host.journal(AVD).keys.length;
    const holdsMs = Array.from({ length: HOLDS }, () => between(20, HOLD_MS_MAX));
    return {
      async input() {
        for (const durationMs of holdsMs) {
          presses++;
          const button = presses % 8 === 0 ? 'volumeUp' : 'volumeDown';
          await perform(
            presses % 4 === 0
              ? { action: 'pressButton', button, durationMs }
              : { action: 'pressKey', key: keys[presses % keys.length], durationMs },
          );
        }
      },
      read() {
        const holds = arrivedHolds(host.journal(AVD).keys.slice(before));
        t.equal(holds.length, holdsMs.length);
        return holds.map((ms, index) => Math.abs(ms - (holdsMs[index] ?? 0)));
      },
    };
  });

  t.comment(`${delayErrors.length} delays of gestures are off by: ${figures(delayErrors)}`);
  t.comment(`${holdErrors.length} holds are off by: ${figures(holdErrors)}`);
  t.comment(`${busy} measurements do not count: the machine had other work`);
  t.ok(quantile(delayErrors, 0.99) <= DELAY_ERROR_MS_MAX, 'delays are within 5 ms at p99');
  t.ok(quantile(holdErrors, 0.99) <= HOLD_ERROR_MS_MAX, 'holds are within 10 ms at p99');
  t.same(host.journal(AVD).violations, []);
});

interface Measurement {
  readonly input: () => Promise<void>;
  /** By how much what arrived is off, in milliseconds. */
  readonly read: () => readonly number[];
}

/** Sleeps again and again; tells by how much the latest of them was late. */
function watchTimers(): { end(): number } {
  let latestMs = 0;
  let running = true;
  const watch = async () => {
    while (running) {
      const begunMs = performance.now();
      await sleep(PROBE_MS);
      latestMs = Math.max(latestMs, performance.now() - begunMs - PROBE_MS);
    }
  };
  void watch();
  return {
    end() {
      running = false;
      return latestMs;
    },
  };
}
