import { PEERS_COMMAND, peersInstalled } from '../../processes/peers.ts';
import { missedGoals } from '../../report/goals.ts';
import { compareRows } from '../../report/ratios.ts';
import { measureRows } from '../requests/measure.ts';
import { formatLayouts, type LayoutFigures, layoutGoals } from '../requests/report.ts';
import type { Scenario } from '../scenario.ts';
import { RestBed } from './bed.ts';
import { ratioTitle } from './ratio-title.ts';
import { REST_ROWS } from './rows.ts';
import { restComparisons } from './targets.ts';

const METHOD = `Medians over interleaved rounds; round 0 and the first moments of each row are thrown away. Kept-alive connections with
one request each. The bare route and Fastify send the service's own answer; Fastify checks the body by a schema as well,
and with a device thread it hands the tap to another thread first, as the service does. bench/README.md says more.`;

/** Measures a tap and a read over REST, beside a bare route of the same library and a common framework. */
export const rest: Scenario = {
  name: 'rest',
  summary: 'taps and reads over REST, beside a bare uWebSockets.js route and Fastify',
  share: { rounds: 2 },
  async run(options) {
    const peers = peersInstalled();
    const rows = REST_ROWS.filter(
      ({ server }) => (peers || !server.startsWith('Fastify')) && !(options.controlsOnly && server === 'RunCloud'),
    );
    const layouts: LayoutFigures[] = [];
    for (const layout of options.layouts) {
      options.progress(`${layout}: starting servers`);
      const bed = await RestBed.open(layout, new Set(rows.map(({ server }) => server)));
      const figures = await measureRows(layout, bed, rows, options);
      layouts.push({ layout, rows: figures, ratios: compareRows(figures, restComparisons(layout, peers)) });
    }
    const missing = peers ? undefined : `Fastify is not installed and not measured: ${PEERS_COMMAND}`;
    const goals = layoutGoals(layouts, ratioTitle);
    const notes = missing === undefined ? [METHOD] : [missing, METHOD];
    return {
      text: formatLayouts('request', layouts, ratioTitle, notes),
      figures: { layouts, missing },
      goals,
      missed: missedGoals(goals),
    };
  },
};
