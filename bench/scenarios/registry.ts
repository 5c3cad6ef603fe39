import { connect } from './connect/connect.ts';
import { crowded } from './crowded/crowded.ts';
import { drag } from './drag/drag.ts';
import { fanout } from './fanout/fanout.ts';
import { far } from './far/far.ts';
import { fleet } from './fleet/fleet.ts';
import { idle } from './idle/idle.ts';
import { mixed } from './mixed/mixed.ts';
import { peers } from './peers/peers.ts';
import { photon } from './photon/photon.ts';
import { record } from './record/record.ts';
import { rest } from './rest/rest.ts';
import type { Scenario } from './scenario.ts';
import { screenshot } from './screenshot/screenshot.ts';
import { soak } from './soak/soak.ts';
import { tap } from './tap/tap.ts';

/** All scenarios by name. */
export const SCENARIOS: ReadonlyMap<string, Scenario> = new Map(
  [tap, peers, rest, fleet, drag, screenshot, connect, photon, far, fanout, crowded, record, mixed, idle, soak].map(
    (scenario) => [scenario.name, scenario],
  ),
);
