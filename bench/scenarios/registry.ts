import { fanout } from './fanout/fanout.ts';
import { photon } from './photon/photon.ts';
import type { Scenario } from './scenario.ts';
import { tap } from './tap/tap.ts';

/** Every scenario by the name it is run with. */
export const SCENARIOS: ReadonlyMap<string, Scenario> = new Map(
  [tap, photon, fanout].map((scenario) => [scenario.name, scenario]),
);
