import type { UiNode } from '@runcloud/protocol';
import t from 'tap';
import type { Rect } from '../../../server/device/driver.ts';
import { CaptureGate } from '../../../server/host/capture-gate.ts';
import { Stillness } from '../../../server/host/ui/stillness.ts';
import { UiFrames } from '../../../server/host/ui/ui-frames.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { solidPicture } from '../../support/scripted-device.ts';

const BAR: Rect = { x: 0, y: 0, width: 40, height: 6 };
const BELOW: Rect = { x: 0, y: 20, width: 40, height: 6 };

/** A screen of 40 × 60 pixels whose picture changes in `area`, and whose name changes, at these times. */
function open({ changesMs = [] as number[], area = BELOW, namesMs = [] as number[], isSlow = false }) {
  const clock = new FakeClock();
  const startMs = clock.monotonicMs();
  const elapsedMs = () => clock.monotonicMs() - startMs;
  const until = (times: readonly number[]) => times.filter((atMs) => atMs <= elapsedMs()).length;
  let reads = 0;
  const nodes = (): UiNode[] => [
    { role: 'text', name: `9:${until(changesMs)}`, frame: { x: 0, y: 0, width: 1, height: 0.1 }, system: true },
    { role: 'text', name: `name ${until(namesMs)}`, frame: { x: 0, y: 0.5, width: 1, height: 0.1 } },
  ];
  const frames = new UiFrames({
    read: () => {
      reads++;
      return { screen: 'on', orientation: 'portrait', nodes: nodes() };
    },
  });
  const gate = new CaptureGate({
    capture: async () => ({ ...solidPicture(until(changesMs), 0), width: 40, height: 60, damage: [area] }),
  });
  const controller = new AbortController();
  const stillness = new Stillness(frames, gate, clock, { isSlow });
  const done = stillness.wait(controller.signal).then((still) => ({ still, atMs: elapsedMs() }));
  done.catch(() => undefined);
  return { clock, controller, done, reads: () => reads };
}

const every = (ms: number, count: number) => Array.from({ length: count }, (_, index) => ms * (index + 1));

t.test('a screen that stands still is settled after a tenth of a second', async (t) => {
  const { clock, done, reads } = open({});
  await clock.advance(3_000);
  const { still, atMs } = await done;
  t.equal(still, true);
  t.ok(atMs >= 100 && atMs <= 150, `${atMs} ms`);
  t.equal(reads(), 2, 'its elements are read at the beginning and at the end');
});

t.test('one that moves is waited for, and one that goes on for 2 seconds is unsettled', async (t) => {
  const moves = open({ changesMs: every(40, 20) });
  await moves.clock.advance(3_000);
  const { still, atMs } = await moves.done;
  t.equal(still, true);
  t.ok(atMs >= 900 && atMs <= 960, `${atMs} ms`);
  const never = open({ changesMs: every(40, 200) });
  await never.clock.advance(3_000);
  const end = await never.done;
  t.equal(end.still, false);
  t.ok(end.atMs >= 2_000 && end.atMs <= 2_050, `${end.atMs} ms`);
});

t.test("the system's bars are left out, where the device tells which they are", async (t) => {
  const clockTicks = open({ changesMs: every(40, 200), area: BAR });
  await clockTicks.clock.advance(3_000);
  t.match(await clockTicks.done, { still: true });
  const slow = open({ changesMs: every(40, 200), area: BAR, isSlow: true });
  await slow.clock.advance(3_000);
  t.match(await slow.done, { still: false });
  t.equal(slow.reads(), 0, 'a source that takes long is not read');
});

t.test('elements that change are waited for, although the picture stays', async (t) => {
  const { clock, done } = open({ namesMs: every(40, 10) });
  await clock.advance(3_000);
  const { still, atMs } = await done;
  t.equal(still, true);
  t.ok(atMs >= 500 && atMs <= 700, `${atMs} ms`);
});

t.test('it ends when it is cancelled', async (t) => {
  const { clock, controller, done } = open({ changesMs: every(40, 200) });
  await clock.advance(300);
  controller.abort();
  await t.rejects(done, { name: 'AbortError' });
  t.equal(clock.waiting, 0);
});
