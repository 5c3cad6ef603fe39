import { drag } from './drag/drag.ts';
import { fanout } from './fanout/fanout.ts';
import { peers } from './peers/peers.ts';
import { photon } from './photon/photon.ts';
import { record } from './record/record.ts';
import { rest } from './rest/rest.ts';
import type { Scenario } from './scenario.ts';
import { tap } from './tap/tap.ts';

/** Every scenario by the name it is run with. */
export const SCENARIOS: ReadonlyMap<string, Scenario> = new Map(
  [tap, peers, rest, drag, photon, fanout, record].map((scenario) => [scenario.name, scenario]),
);
