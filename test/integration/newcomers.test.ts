import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { percentile } from '../screen/link-simulator.ts';
import { screenCounts } from '../support/prometheus.ts';
import { ScreenStage } from '../support/screen-stage.ts';
import type { ScreenWatcher } from '../support/screen-watcher.ts';

const ROUNDS = 9;
/** Other load on the machine can only make times longer, so one good series is a proof. */
const SERIES = 4;
/** Opens an app that draws where fingers go. */
const TOUCH_LAB = { action: 'tap', x: 0.16, y: 0.92 } as const;
/** A newcomer is served by the key packet that another one had just asked for: this far apart they are two. */
const APART_MS = 150;

const stage = await ScreenStage.open(t);
const watcher = await stage.watch(t);

/** Milliseconds from asking for the screen to the first packet. */
async function joined(viewer: ScreenWatcher): Promise<number> {
  const startMs = performance.now();
  viewer.send({ type: 'screen.start', encodings: ['h264'] });
  await viewer.until('a picture came', () => viewer.packets.length > 0);
  return performance.now() - startMs;
}

async function roundTrip(viewer: ScreenWatcher, id: number): Promise<number> {
  const startMs = performance.now();
  viewer.send({ type: 'ping', id });
  await viewer.until('the pong came', () => viewer.message('pong', (pong) => pong.id === id) !== undefined);
  return performance.now() - startMs;
}

t.test(
  'a newcomer to a still screen sees it in one round trip, and one encoding serves it and all after it',
  async (t) => {
    await joined(watcher);
    await stage.act(TOUCH_LAB);
    const told: string[] = [];
    let held = false;
    for (let series = 0; series < SERIES && !held; series++) held = await joinAgainAndAgain(t, told);
    t.ok(held, told.join('; '));
  },
);

/** Tells whether newcomers waited for nothing but the way. */
async function joinAgainAndAgain(t: Test, told: string[]): Promise<boolean> {
  const times = { tap: [] as number[], ping: [] as number[], encoded: [] as number[], kept: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    // A change that is sent as a delta: it is not decodable by itself.
    const startMs = performance.now();
    await stage.act({ action: 'tap', x: 0.2 + round * 0.07, y: 0.5 });
    times.tap.push(performance.now() - startMs);
    const before = await stage.still();
    const [first, second] = [await stage.watch(t), await stage.watch(t)];
    times.ping.push(await roundTrip(first, round));
    times.encoded.push((await joined(first)) - (first.packets[0]?.header.handOverMs ?? 0));
    times.kept.push(await joined(second));
    await sleep(APART_MS);
    for (const { packets } of [first, second]) {
      t.equal(packets.length, 1, 'nothing follows while nothing changes');
      t.match(packets[0]?.header, { key: true, unchanged: true, seq: 1 });
    }
    t.equal(Buffer.compare(first.packets[0]?.payload ?? Buffer.of(0), second.packets[0]?.payload ?? Buffer.of(1)), 0);
    const { encodings, packets } = screenCounts(await stage.metrics(), before, 'h264');
    t.same([encodings, packets], [1, 3], 'one encoding for both newcomers, sent to the one who was there too');
    first.close();
    second.close();
  }
  const [ping = 0, tap = 0, encoded = 0, kept = 0] = [times.ping, times.tap, times.encoded, times.kept].map((some) =>
    percentile(some, 0.5),
  );
  told.push(
    `ping ${ping.toFixed(2)} ms, tap ${tap.toFixed(2)}; newcomers ${encoded.toFixed(2)} and ${kept.toFixed(2)}`,
  );
  // Several times what the bare way takes leaves room for the hundred kilobytes and for a busy machine, not for a wait:
  // a picture's time at 60 a second is fifty round trips.
  // A picture that has to be encoded first also takes a hop to the device's host and back.
  return kept <= ping * 6 && encoded <= (kept + tap) * 6;
}
