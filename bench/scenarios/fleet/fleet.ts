import { LocalNats } from '../../../server/local-nats.ts';
import { missedGoals, ratioGoals } from '../../report/goals.ts';
import { compareRows } from '../../report/ratios.ts';
import { measureRows } from '../requests/measure.ts';
import { figureTitle, formatLayouts, type LayoutFigures, layoutGoals, type RatioTitle } from '../requests/report.ts';
import type { Scenario } from '../scenario.ts';
import { FleetBed } from './bed.ts';
import { formatPictures, measurePictures, type Pictures, pictureTitle } from './pictures.ts';
import { FLEET_ROWS, fleetComparisons } from './rows.ts';

const METHOD = `Medians over interleaved rounds; round 0 and the first moments of each row are thrown away. One control socket. The NATS echo is a
uWebSockets.js server that makes each message a bare NATS request, whose reply by another process, as long as an acknowledgement, is the
answer. Everything but the load is on one core. "server CPU" is that of the process to which the load connects.`;

const MISSING = 'nats-server is not installed, and nothing is measured: sudo apt-get install nats-server';

const ratioTitle: RatioTitle = ({ of, to, figure }) => {
  const [ours, theirs] = [of, to].map((name) => FLEET_ROWS.find((row) => row.name === name));
  return `tap, ${ours?.load}: ${ours?.subject} / ${theirs?.subject}: ${figureTitle(figure)}`;
};

/** The measured taps and pictures of one layout. */
interface FleetFigures extends LayoutFigures, Pictures {}

/** Measures taps and pictures through an edge and a host, beside bare messages over the same NATS server and a service alone. */
export const fleet: Scenario = {
  name: 'fleet',
  summary: 'taps and pictures through an edge and a host, beside bare NATS messages and a service alone',
  share: 'none',
  async run(options) {
    if (!LocalNats.isInstalled()) return { text: MISSING, figures: { missing: MISSING }, missed: [] };
    const layouts: FleetFigures[] = [];
    for (const layout of options.layouts) {
      options.progress(`${layout}: starting servers`);
      const bed = await FleetBed.open(layout);
      try {
        const pictures = await measurePictures(layout, bed, options);
        const rows = await measureRows(layout, bed, FLEET_ROWS, options);
        layouts.push({ layout, rows, ratios: compareRows(rows, fleetComparisons(layout)), ...pictures });
      } finally {
        await bed.close();
      }
    }
    const goals = [
      ...layoutGoals(layouts, ratioTitle),
      ...layouts.flatMap(({ layout, pictureRatios }) => ratioGoals(pictureRatios, pictureTitle, layout)),
    ];
    return {
      text: formatLayouts('request', layouts, ratioTitle, [METHOD, formatPictures(layouts)]),
      figures: { layouts },
      goals,
      missed: missedGoals(goals),
    };
  },
};
