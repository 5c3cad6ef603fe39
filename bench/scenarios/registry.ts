import { crowded } from './crowded/crowded.ts';
import { fanout } from './fanout/fanout.ts';
import { photon } from './photon/photon.ts';
import { record } from './record/record.ts';
import type { Scenario } from './scenario.ts';
import { tap } from './tap/tap.ts';

/** Every scenario by the name it is run with. */
export const SCENARIOS: ReadonlyMap<string, Scenario> = new Map(
  [tap, photon, fanout, crowded, record].map((scenario) => [scenario.name, scenario]),
);
