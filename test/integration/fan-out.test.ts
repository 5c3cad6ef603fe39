import t from 'tap';
import { CONTROL_ANSWER } from '../../bench/controls/control-process.ts';
import { FAN_OUT_PATHS, type FanOutPattern } from '../../bench/controls/fan-out-pattern.ts';
import { startServer } from '../../bench/processes/server-process.ts';
import type { ViewerTarget } from '../../bench/viewers/viewer.ts';
import { percentile } from '../screen/link-simulator.ts';
import { awayFromMinuteEdge } from '../support/minute-edge.ts';
import { screenCounts } from '../support/prometheus.ts';
import { ScreenStage } from '../support/screen-stage.ts';

const VIEWERS = 200;
const TAPS = 200;
/** Other load on the machine can only make a round worse, so one good round is a proof. */
const ROUNDS = 5;
/** Maximum slowdown of taps by a crowd. */
const IDLE_TIMES = 2;
/** Approximately the stream of the app Motion. */
const PATTERN: FanOutPattern = { sizes: [3_600], perSecond: 60 };

const stage = await ScreenStage.open(t);
/** One who watches all the time, so that the screen is encoded with and without the crowd. */
const alone = await stage.watch(t);
alone.send({ type: 'screen.start', encodings: ['h264'] });

t.test(`${VIEWERS} viewers: one encoding for each picture, and every viewer's account adds up`, async (t) => {
  await stage.crowd.open(stage.target('h264'), VIEWERS);
  // Before and after the crowd counts, nothing else may change the screen.
  await awayFromMinuteEdge(20_000);
  const before = await stage.still();
  const own = alone.packets.length;
  await stage.crowd.begin();
  await stage.startMotion();
  await stage.tapTimes(TAPS);
  const counted = screenCounts(await stage.stopMotion(), before, 'h264');
  const seen = await stage.crowd.end();
  await stage.crowd.close();
  const ownLeftOut = alone.packets.slice(own).reduce((sum, { header }) => sum + header.leftOut, 0);
  t.equal(seen.viewers, VIEWERS);
  t.equal(counted.encodings, seen.pictures, 'each picture was encoded once');
  t.ok(seen.pictures > 20, `${seen.pictures} pictures`);
  t.equal(counted.packets, seen.packets + alone.packets.length - own);
  t.equal(counted.leftOut, seen.leftOut + ownLeftOut);
  t.equal(
    counted.packets + counted.leftOut,
    counted.encodings * (VIEWERS + 1),
    'a picture was sent or counted as left out',
  );
  t.ok(Math.min(...seen.packetsByViewer) > 0, 'nobody was forgotten');
});

/** How long taps take and how many pictures come while a crowd watches something. */
async function besides(target: ViewerTarget) {
  await stage.crowd.open(target, VIEWERS);
  const figures = await tapped();
  await stage.crowd.close();
  return figures;
}

async function tapped() {
  const pictures = alone.packets.length;
  const startMs = performance.now();
  const tapP99Ms = percentile(await stage.tapTimes(TAPS), 0.99);
  const rate = ((alone.packets.length - pictures) * 1_000) / (performance.now() - startMs);
  return { tapP99Ms, rate };
}

/**
 * Idle is the same session, watched by one, that nothing moves; taps leave at the same pace, a few milliseconds apart by
 * chance, so that they fall into step with no picture. Who watches needs processors too: where these are too few for the crowd
 * itself, idle is the session beside the same crowd that watches a bare sender of as much.
 */
t.test('taps are acknowledged within twice their idle p99 while the crowd watches a moving screen', async (t) => {
  const env = { [CONTROL_ANSWER]: Buffer.from(JSON.stringify(PATTERN)).toString('base64') };
  const control = await startServer({ name: 'bare sender', file: 'bench/controls/uws-fan-out.ts', env });
  t.teardown(() => control.stop());
  const { host, port } = control;
  const bare = { host, port, path: FAN_OUT_PATHS.send, headers: {}, acknowledges: true };
  const told: string[] = [];
  let held = false;
  for (let round = 0; round < ROUNDS && !held; round++) {
    const idle = await tapped();
    await stage.startMotion();
    const own = await tapped();
    const here = await besides(stage.target('h264'));
    const inTime = here.tapP99Ms <= idle.tapP99Ms * IDLE_TIMES;
    const floor = inTime ? undefined : await besides(bare);
    await stage.stopMotion();
    const without = Math.max(idle.tapP99Ms, floor?.tapP99Ms ?? 0);
    held = here.tapP99Ms <= without * IDLE_TIMES && here.rate >= own.rate * 0.9;
    const ms = (figures: { readonly tapP99Ms: number }) => `${figures.tapP99Ms.toFixed(1)} ms`;
    told.push(
      `taps p99 ${ms(here)}, idle ${ms(idle)}, one viewer ${ms(own)}${floor ? `, beside a bare sender ${ms(floor)}` : ''}; ` +
        `${here.rate.toFixed(1)} pictures a second, ${own.rate.toFixed(1)} for one viewer`,
    );
  }
  t.comment(told.join('\n'));
  t.ok(held, told.join('; '));
});
