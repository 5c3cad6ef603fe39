import t from 'tap';
import { type FleetLoad, loadFleet } from '../support/fleet-load.ts';
import {
  fleetRatios,
  fleetSampleLine,
  formatFleetRatios,
  formatFleetSamples,
  risenRatios,
} from '../support/fleet-load-figures.ts';
import { withoutNats } from '../support/nats-server.ts';
import { withoutPostgres } from '../support/postgres.ts';

/** `PROVE_FLEET_TAPS` is for machines that cannot carry all of it: what is more than they can do makes queues, which are not flat. */
const { PROVE_FLEET_MINUTES = '10', PROVE_FLEET_TAPS = '500' } = process.env;
const minutes = Number(PROVE_FLEET_MINUTES);

const LOAD: FleetLoad = {
  edges: 3,
  hosts: 10,
  devicesOfHost: 5,
  sessions: 40,
  viewers: 200,
  tapsPerSecond: Number(PROVE_FLEET_TAPS),
  maxFps: 1,
  maxLongEdge: 320,
  measureMs: minutes * 60_000,
  samples: 10,
};
const LOSS_EVERY_MS = 20_000;

const skip = withoutNats() || withoutPostgres();
const timeout = 3_000_000;
const at = (values: readonly number[], share: number) => values[Math.floor((values.length - 1) * share)]?.toFixed(0);

t.test(`${minutes} minutes of load: nothing is lost, percentiles and memory are flat`, { skip, timeout }, async (t) => {
  const { samples, findings, taps } = await loadFleet(LOAD, (sample) => t.comment(fleetSampleLine(sample)));
  t.strictSame(findings, []);
  const ratios = fleetRatios(samples);
  t.comment(formatFleetSamples(samples));
  t.comment(formatFleetRatios(ratios));
  t.comment(`${taps} taps`);
  t.strictSame(risenRatios(ratios), []);
});

t.test(`${minutes} minutes of load and losses: no answer is lost or doubled`, { skip, timeout }, async (t) => {
  const load = { ...LOAD, lossEveryMs: LOSS_EVERY_MS };
  const report = await loadFleet(load, (sample) => t.comment(fleetSampleLine(sample)));
  const { samples, findings, taps, unknown, losses, returns, resumedMs, replacedMs } = report;
  t.strictSame(findings, []);
  t.comment(formatFleetSamples(samples));
  t.comment(`${taps} taps, of which ${unknown} were open on hosts that were killed; killed: ${JSON.stringify(losses)}`);
  t.comment(`${resumedMs.length} connections resumed: p50 ${at(resumedMs, 0.5)} ms, p99 ${at(resumedMs, 0.99)} ms`);
  t.comment(`${returns} viewers came back, ${replacedMs.length} sessions replaced: p50 ${at(replacedMs, 0.5)} ms`);
  t.ok(resumedMs.length > 0);
});
