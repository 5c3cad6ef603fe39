import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import type { DeviceTarget } from '../../../server/device/target.ts';
import { AndroidDriver } from '../../../server/drivers/android/android-driver.ts';
import { runningChildren } from '../../../server/drivers/process/children.ts';
import { delaySpans } from '../../support/android/arrival-times.ts';
import { emulatorHost } from '../../support/android/emulator-host.ts';
import { hasAdb } from '../../support/android/has-adb.ts';
import { isQuiet, watchTimers } from '../../support/late-timers.ts';
import { quantile, timedGesture } from '../../support/timing-figures.ts';

const skip = hasAdb ? false : 'NO ADB: Android devices are NOT tested';
const AVD = 'Pixel_8';
const TAP = { requestId: 't', timeoutMs: 5_000, action: 'tap', x: 0.25, y: 0.5 } as const;

// Pauses between two attempts do not keep a process.
const alive = setInterval(() => undefined, 1_000);
t.teardown(() => clearInterval(alive));

function open(t: Test, ...avds: string[]) {
  const host = emulatorHost(avds);
  const driver = new AndroidDriver();
  t.teardown(async () => {
    await driver.close();
    host.remove();
  });
  const find = async (which: string): Promise<DeviceTarget> => {
    const [found] = await driver.discover({ driver: 'android-emulator', which, tools: host.tools });
    if (!found) throw new Error(`no ${which}`);
    return found.target;
  };
  return { host, driver, find };
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Waits until a condition is true, which takes longer on a busy machine. */
async function until(fits: () => boolean): Promise<boolean> {
  for (let tries = 0; tries < 400 && !fits(); tries++) await sleep(50);
  return fits();
}

/** Delays that came while the machine was idle, so many that their median says something. */
const RATIOS_MIN = 10;
const GESTURES_MAX = 10;
/** A timer counts whole milliseconds. */
const TIMER_MS = 1;

t.test('an AVD is started by its name, once, used, brought back when it dies, and ended', { skip }, async (t) => {
  const { host, driver, find } = open(t, AVD);
  const target = await find(AVD);
  t.same(host.starts(), [], 'finding starts nothing');
  const [one, other] = await Promise.all([driver.makeReady(target), driver.makeReady(target)]);
  t.match(one, { driver: 'android-emulator', model: AVD, osVersion: '14', width: 540, height: 1_200 });
  t.same(one, other);
  t.match(host.starts(), [{ avd: AVD }]);
  const { signal } = new AbortController();

  const first = await driver.open(target, { platform: 'android' });
  const lost = new Promise<string>((resolve) => first.onLost(resolve));
  await t.test('input arrives where and when it is meant to', async (t) => {
    const delaysMs = Array.from({ length: 30 }, (_, index) => 20 + ((index * 7) % 40));
    const request = { requestId: 'r', timeoutMs: 5_000, ...timedGesture(delaysMs, 2) };
    const [ratios, all]: [number[], number[]] = [[], []];
    for (let gestures = 1; ratios.length < RATIOS_MIN && gestures <= GESTURES_MAX; gestures++) {
      const probe = watchTimers();
      t.same(await first.perform(request, { inputSeq: 1, signal }), { pointCount: 2, dispatchedSteps: 31 });
      const busy = await probe.end();
      await until(() => host.journal(AVD).reports.length === 32 * gestures);
      const reports = host.journal(AVD).reports.slice(-32);
      t.match(reports[0]?.fingers, [
        { x: 162, y: 120, pressure: 1_024 },
        { x: 378, y: 120, pressure: 1_024 },
      ]);
      t.match(reports.at(-1)?.fingers, [{ pressure: 0 }, { pressure: 0 }]);
      const spans = delaySpans(reports);
      t.equal(spans.length, 30);
      let wishedMs = 0;
      for (const [index, { toMs }] of spans.entries()) {
        wishedMs += delaysMs[index] ?? 0;
        const tookMs = toMs - (reports[0]?.atMs ?? 0);
        if (tookMs < wishedMs - TIMER_MS) t.fail(`step ${index + 1} came after ${tookMs} ms, before ${wishedMs}`);
      }
      for (const [index, { fromMs, toMs }] of spans.entries()) {
        const ratio = (toMs - fromMs) / (delaysMs[index] ?? 0);
        all.push(ratio);
        if (isQuiet({ fromMs, toMs }, busy)) ratios.push(ratio);
      }
    }
    // On a machine that was never idle, all of them count.
    const median = quantile(ratios.length < RATIOS_MIN ? all : ratios, 0.5);
    t.ok(median > 0.8 && median < 1.25, `most steps take what they were to take: ${median}`);
    t.same(host.journal(AVD).violations, []);
  });

  const [{ pid } = { pid: 0 }] = host.starts();
  execFileSync('kill', ['-9', String(pid)]);
  t.match(await lost, /gone|does not answer/);
  await t.rejects(first.perform(TAP, { inputSeq: 2, signal }), { name: 'DeviceFault', kind: 'unreachable' });
  await first.close();

  t.match(await driver.makeReady(target), { model: AVD });
  t.equal(host.starts().length, 2, 'another process under the same name');
  const again = await driver.open(target, { platform: 'android', orientation: 'landscape_left' });
  t.equal(again.orientation, 'landscape_left');
  t.same(await again.perform(TAP, { inputSeq: 1, signal }), { pointCount: 1 });
  await again.close();
  await driver.close();
  t.notOk(isAlive(host.starts()[1]?.pid ?? 0), 'the emulator is gone with the service');
  t.equal(runningChildren(), 0);
});

t.test('an emulator that cannot start says why, and nothing of it is left', { skip }, async (t) => {
  const { driver, find } = open(t, 'Broken_AVD');
  const target = await find('Broken_AVD');
  await t.rejects(driver.makeReady(target), {
    kind: 'unavailable',
    message: /"Broken_AVD" did not start: .*exit code 1; it said: PANIC: Missing emulator engine program/,
  });
  t.equal(runningChildren(), 0);
  await t.rejects(find('Nobody'), {
    kind: 'unavailable',
    message: /no Android Virtual Device named "Nobody".*avdmanager/,
  });
});
