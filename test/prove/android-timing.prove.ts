import { setTimeout as sleep } from 'node:timers/promises';
import { KEYS, LOCK_KEYS } from '@runcloud/protocol/terms';
import t from 'tap';
import { seeded } from '../conformance/random.ts';
import { delaySpans, holdSpans } from '../support/android/arrival-times.ts';
import { emulatorHost, type Journal } from '../support/android/emulator-host.ts';
import { hasAdb } from '../support/android/has-adb.ts';
import { isQuiet, type Span, watchTimers } from '../support/late-timers.ts';
import { RestClient } from '../support/rest-client.ts';
import { serverProgram, temporaryDataDir } from '../support/server-process.ts';
import { judgeTimes, timedGesture } from '../support/timing-figures.ts';

/**
 * Times of arrival at an emulator in a process of its own, from a server in another: what a gesture's delays and the holds
 * of keys and buttons come to. The figures hold for an idle machine: what is measured while a bare timer beside it is late does
 * not count, and is told.
 */
const skip = hasAdb ? false : 'NO ADB: Android devices are NOT tested';
const GESTURES = 60;
const HOLDS = 240;
/** The emulator writes down what arrived once nothing more comes. */
const WRITTEN_MS_MAX = 5_000;
const LOOK_MS = 200;
const STEPS = 30;
const DELAY_MS_MAX = 40;
/** Between two looks at what arrived. */
const HOLDS_TOGETHER = 6;
const HOLD_MS_MAX = 200;
const AVD = 'Timed';
const KEY = 'a-key-that-only-this-proof-knows';

const random = seeded(5);
const between = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));

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
  /** The entries of the emulator's journal, once there are `count`. */
  const arrivals = async <Kind extends 'reports' | 'keys'>(kind: Kind, count: number): Promise<Journal[Kind]> => {
    for (let waitedMs = 0; ; waitedMs += LOOK_MS) {
      const found = host.journal(AVD)[kind];
      if (found.length >= count || waitedMs > WRITTEN_MS_MAX) return found;
      await sleep(LOOK_MS);
    }
  };
  for (let count = 0; count < 3; count++) await perform(timedGesture(Array(20).fill(20), 1));
  await sleep(LOOK_MS * 2);

  /** How far off those are that came while the machine was idle. What arrived is read behind the probe: that is work itself. */
  const judge = (what: string, arrived: readonly Span[], wishedMs: readonly number[], busy: readonly Span[]) => {
    t.equal(arrived.length, wishedMs.length, `each of the ${what} arrived`);
    return arrived.flatMap((span, index) =>
      isQuiet(span, busy) ? [Math.abs(span.toMs - span.fromMs - (wishedMs[index] ?? 0))] : [],
    );
  };

  const delayErrors: number[] = [];
  for (let count = 0; count < GESTURES; count++) {
    const delaysMs = Array.from({ length: STEPS - 1 }, () => between(1, DELAY_MS_MAX));
    const before = host.journal(AVD).reports.length;
    const probe = watchTimers();
    await perform(timedGesture(delaysMs, random() < 0.5 ? 1 : 2));
    const busy = await probe.end();
    const reports = await arrivals('reports', before + STEPS + 1);
    delayErrors.push(...judge('steps', delaySpans(reports.slice(before)), delaysMs, busy));
  }

  const keys = KEYS.filter((key) => !LOCK_KEYS.includes(key));
  const holdErrors: number[] = [];
  for (let presses = 0; presses < HOLDS; ) {
    const holdsMs = Array.from({ length: HOLDS_TOGETHER }, () => between(20, HOLD_MS_MAX));
    const before = host.journal(AVD).keys.length;
    const probe = watchTimers();
    for (const durationMs of holdsMs) {
      presses++;
      const button = presses % 8 === 0 ? 'volumeUp' : 'volumeDown';
      await perform(
        presses % 4 === 0
          ? { action: 'pressButton', button, durationMs }
          : { action: 'pressKey', key: keys[presses % keys.length], durationMs },
      );
    }
    const busy = await probe.end();
    const arrived = holdSpans((await arrivals('keys', before + holdsMs.length * 2)).slice(before));
    holdErrors.push(...judge('holds', arrived, holdsMs, busy));
  }

  judgeTimes(t, { asked: GESTURES * (STEPS - 1), errors: delayErrors }, { asked: HOLDS, errors: holdErrors });
  t.same(host.journal(AVD).violations, []);
});
