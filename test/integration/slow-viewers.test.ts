import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { ScreenStage } from '../support/screen-stage.ts';
import type { Packet, ScreenWatcher } from '../support/screen-watcher.ts';
import { SlowLink } from '../support/slow-link.ts';

const QUICK = 20;
const PHASE_MS = 3_000;
/** Other load on the machine can only make a round worse, so one good round is a proof. */
const ROUNDS = 5;
/** Maximum costs of slow viewers for the others. */
const RATE_LOSS_MAX = 0.02;
const DELAY_RATIO_MAX = 1.5;
/** A long way delays pictures; it does not take them. */
const KEEPS_UP_SHARE = 0.75;

const stage = await ScreenStage.open(t);
// Too thin for what even a busy machine makes of the screen.
const thinLink = await SlowLink.open(stage.url, { mbits: 0.2 });
const longLink = await SlowLink.open(stage.url, { oneWayMs: 300 });
t.teardown(() => {
  thinLink.close();
  longLink.close();
});

async function watch(url = stage.url): Promise<ScreenWatcher> {
  const viewer = await stage.watch(t, url);
  viewer.send({ type: 'screen.start', encodings: ['h264'] });
  await viewer.until('a picture came', () => viewer.packets.length > 0);
  return viewer;
}

/** A delta is of use only right after the packet that it was made from. */
const gaps = (packets: readonly Packet[]): Packet[] =>
  packets.filter(({ header }, at) => !header.key && (at === 0 || header.leftOut > 0));

const numbered = (packets: readonly Packet[]): boolean => packets.every(({ header }, at) => header.seq === at + 1);

/** Pictures of the second before the newest that came. */
function lastSecond({ packets }: ScreenWatcher): number {
  const sinceUs = (packets.at(-1)?.header.capturedAtUs ?? 0) - 1_000_000;
  return packets.filter(({ header }) => header.capturedAtUs > sinceUs).length;
}

/** Judges what the slow viewers received, and that the one that had stopped reading receives pictures again. */
async function judgeSlow(t: Test, [stuck, thin, far]: readonly [ScreenWatcher, ScreenWatcher, ScreenWatcher]) {
  const missed = stuck.packets.length;
  const resumedAtUs = Date.now() * 1_000;
  stuck.resume();
  const fresh = () => stuck.packets.find(({ header }) => header.capturedAtUs > resumedAtUs);
  await stuck.until('a fresh picture came', () => fresh() !== undefined);
  const back = stuck.packets.slice(missed).find(({ header }) => header.leftOut > 0);
  t.ok(back?.header.key, 'it comes back with a key packet');
  await thin.until('the thin link was sent less than there was', () =>
    thin.packets.some(({ header }) => header.leftOut > 0),
  );
  // Beside one who is near, since others on the machine may have slowed the screen itself meanwhile.
  const near = await watch();
  const [first = 0] = near.packets.map(({ header }) => header.capturedAtUs);
  await near.until('a second came', () => (near.packets.at(-1)?.header.capturedAtUs ?? 0) > first + 1_000_000);
  await far.until('the one far away keeps up', () => lastSecond(far) >= lastSecond(near) * KEEPS_UP_SHARE);
  for (const { packets } of [stuck, thin, far]) {
    t.ok(numbered(packets));
    t.same(gaps(packets).length, 0, 'a delta came after its predecessor alone');
  }
}

t.test('a viewer that stops reading, one on a slow link and one far away do not affect the others', async (t) => {
  await stage.crowd.open(stage.target('h264'), QUICK);
  await stage.startMotion();
  await stage.crowd.measure(1_000);
  const told: string[] = [];
  let held = false;
  for (let round = 0; round < ROUNDS && !held; round++) {
    const before = await stage.crowd.measure(PHASE_MS);
    const slow = await Promise.all([watch(), watch(thinLink.url), watch(longLink.url)] as const);
    slow[0].pause();
    await sleep(300);
    const beside = await stage.crowd.measure(PHASE_MS);
    const rates = [before, beside].map(({ packets, seconds }) => packets / QUICK / seconds);
    const [rateBefore = 0, rateBeside = 0] = rates;
    told.push(
      `${rateBefore.toFixed(1)} and beside them ${rateBeside.toFixed(1)} pictures a second, ` +
        `delay p99 ${(before.delay.p99Us / 1_000).toFixed(1)} and ${(beside.delay.p99Us / 1_000).toFixed(1)} ms`,
    );
    held = rateBeside >= rateBefore * (1 - RATE_LOSS_MAX) && beside.delay.p99Us <= before.delay.p99Us * DELAY_RATIO_MAX;
    held &&= Math.min(...beside.packetsByViewer) > 0;
    if (!held) for (const viewer of slow) viewer.close();
    else await judgeSlow(t, slow);
  }
  t.comment(told.join('\n'));
  t.ok(held, told.join('; '));
});
