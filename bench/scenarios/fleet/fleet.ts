import { LocalNats } from '../../../server/local-nats.ts';
import { missedGoals } from '../../report/goals.ts';
import { compareRows } from '../../report/ratios.ts';
import { measureRows } from '../requests/measure.ts';
import { figureTitle, formatLayouts, type LayoutFigures, layoutGoals, type RatioTitle } from '../requests/report.ts';
import type { Scenario } from '../scenario.ts';
import { FleetBed } from './bed.ts';
import { FLEET_ROWS, fleetComparisons } from './rows.ts';

const METHOD = `Medians over interleaved rounds; round 0 and the first moments of each row are thrown away. One control socket. The NATS echo is a
uWebSockets.js server that makes each message a bare NATS request, whose reply by another process, as long as an acknowledgement, is the
answer. Everything but the load is on one core. "server CPU" is that of the process to which the load connects.`;

const MISSING = 'nats-server is not installed, and nothing is measured: sudo apt-get install nats-server';

const ratioTitle: RatioTitle = ({ of, to, figure }) => {
  const [ours, theirs] = [of, to].map((name) => FLEET_ROWS.find((row) => row.name === name));
  return `tap, ${ours?.load}: ${ours?.subject} / ${theirs?.subject}: ${figureTitle(figure)}`;
};

/** Measures taps through an edge and a host, beside bare requests over the same NATS server and a service alone. */
export const fleet: Scenario = {
  name: 'fleet',
  summary: 'taps through an edge and a host, beside bare NATS requests and a service alone',
  share: 'none',
  async run(options) {
    if (!LocalNats.isInstalled()) return { text: MISSING, figures: { missing: MISSING }, missed: [] };
    const layouts: LayoutFigures[] = [];
    for (const layout of options.layouts) {
      options.progress(`${layout}: starting servers`);
      const bed = await FleetBed.open(layout);
      const rows = await measureRows(layout, bed, FLEET_ROWS, options);
      layouts.push({ layout, rows, ratios: compareRows(rows, fleetComparisons(layout)) });
    }
    const goals = layoutGoals(layouts, ratioTitle);
    return {
      text: formatLayouts('request', layouts, ratioTitle, [METHOD]),
      figures: { layouts },
      goals,
      missed: missedGoals(goals),
    };
  },
};
