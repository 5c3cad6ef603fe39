import t from 'tap';
import { type FleetLoad, type FleetSample, loadFleet } from '../support/fleet-load.ts';
import { fleetRatios, fleetSampleLine, formatFleetRatios, risenRatios } from '../support/fleet-load-figures.ts';
import { withoutNats } from '../support/nats-server.ts';
import { withoutPostgres } from '../support/postgres.ts';

const skip = withoutNats() || withoutPostgres();

/** Short of what shows how memory and latency go on; what is answered, and how often, holds at any length. */
const LOAD: FleetLoad = {
  edges: 2,
  hosts: 2,
  devicesOfHost: 4,
  sessions: 4,
  viewers: 8,
  tapsPerSecond: 40,
  maxFps: 2,
  maxLongEdge: 320,
  measureMs: 9_000,
  samples: 3,
};

t.test('a fleet under load answers every tap once, and shows every viewer pictures', { skip }, async (t) => {
  const told: FleetSample[] = [];
  const { samples, findings, taps, unknown } = await loadFleet(LOAD, (sample) => void told.push(sample));
  t.strictSame(findings, []);
  t.equal(unknown, 0);
  t.ok(taps >= 360, `${taps} taps`);
  t.same(told, samples);
  t.equal(samples.length, 3);
  for (const { tapP50Ms, pictureP50Ms, edgesMegabytes, hostsMegabytes, natsMegabytes, hostsCores } of samples) {
    t.ok(tapP50Ms > 0 && pictureP50Ms > 0 && hostsCores > 0);
    t.ok([...edgesMegabytes, ...hostsMegabytes, natsMegabytes].every((megabytes) => megabytes > 1));
    t.same([edgesMegabytes.length, hostsMegabytes.length], [2, 2]);
  }
});

t.test('and so it does while an edge, a host and NATS are killed', { skip }, async (t) => {
  const { findings, losses, returns, resumedMs, replacedMs } = await loadFleet({ ...LOAD, lossEveryMs: 2_000 });
  t.strictSame(findings, []);
  const { edge, host, NATS } = losses;
  t.ok(edge + host + NATS > 0, JSON.stringify(losses));
  // A loss of NATS alone cuts every connection; others cut those that they serve.
  if (NATS > 0) t.ok(resumedMs.length > 0 && returns >= LOAD.viewers, `${resumedMs.length} resumed, ${returns}`);
  if (host === 0) t.equal(replacedMs.length, 0);
});

const sample = (minute: number, changed: Partial<FleetSample> = {}): FleetSample => ({
  endMs: minute * 60_000,
  tapsPerSecond: 500,
  tapP50Ms: 3 + (minute % 3) / 10,
  tapP99Ms: 20 + (minute % 2),
  picturesPerSecond: 1.9,
  pictureP50Ms: 4,
  pictureP99Ms: 30,
  edgesMegabytes: [110, 120],
  hostsMegabytes: [200, 210],
  natsMegabytes: 20,
  edgesCores: 0.2,
  hostsCores: 1,
  natsCores: 0.1,
  loadCores: 0.3,
  ...changed,
});
const risen = (change: (minute: number) => Partial<FleetSample>) =>
  risenRatios(fleetRatios(Array.from({ length: 10 }, (_, minute) => sample(minute, change(minute))))).map(
    ({ name }) => name,
  );

t.test('what grows is told by its name, and nothing else is', async (t) => {
  t.same(
    risen(() => ({})),
    [],
  );
  t.same(
    risen((minute) => ({ hostsMegabytes: [200, 210 + minute * 10] })),
    ['memory of host 2'],
  );
  t.same(
    risen((minute) => ({ tapP99Ms: 20 * 1.2 ** minute })),
    ['tap p99'],
  );
  t.same(
    risen((minute) => ({ picturesPerSecond: minute < 6 ? 2 : 1 })),
    ['time between pictures'],
  );
  t.same(
    risen((minute) => ({ tapP50Ms: minute === 8 ? 50 : 3 })),
    [],
    'one bad minute is no growth',
  );
  t.same(
    risen(() => ({ pictureP50Ms: Number.NaN })),
    ['picture p50'],
    'what was not measured is not flat',
  );
  t.match(fleetSampleLine(sample(3)), /minute 3\.0, taps\/s 500, .*MB of an edge 110–120/);
  t.match(formatFleetRatios(fleetRatios([0, 1, 2].map((minute) => sample(minute)))), /memory of host 2 .*flat/);
});
