import type { Layout } from '../../processes/pin.ts';
import { ratioColumns } from '../../report/goals.ts';
import { compareRows, type Ratio } from '../../report/ratios.ts';
import { type Column, formatFigure, formatTable } from '../../report/table.ts';
import { interleave } from '../interleave.ts';
import type { ScenarioOptions } from '../scenario.ts';
import type { FleetBed } from './bed.ts';
import { PictureBed } from './picture-bed.ts';
import { type PictureFigures, pictureFigures } from './picture-figures.ts';
import { PICTURE_ROWS, type PictureFigure, pictureComparisons, viewersOf } from './picture-rows.ts';

/** With only 60 pictures per second, rows need a multiple of the measuring time of taps. */
const TIMES = 4;

/** The measured pictures of one layout. */
export interface Pictures {
  readonly pictures: readonly PictureFigures[];
  readonly pictureRatios: readonly Ratio<PictureFigure>[];
}

export async function measurePictures(
  layout: Layout,
  fleet: FleetBed,
  { progress, rounds, seconds }: ScenarioOptions,
): Promise<Pictures> {
  const bed = await PictureBed.open(layout, fleet);
  try {
    const found = await interleave(PICTURE_ROWS, rounds, (row, round) => {
      if (row === PICTURE_ROWS[0])
        progress(`${layout}: pictures, ${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`}`);
      return bed.measure(row, seconds * 1_000 * TIMES * (round === 0 ? 0.2 : 1));
    });
    const pictures = PICTURE_ROWS.map((row, at) => pictureFigures(row, found[at] ?? []));
    return { pictures, pictureRatios: compareRows(pictures, pictureComparisons(layout)) };
  } finally {
    await bed.close();
  }
}

const FIGURE_TITLE: Partial<Record<PictureFigure, string>> = {
  p50Us: 'p50',
  p99Us: 'p99',
  perViewer: 'pictures/s',
  packetCpuUs: 'CPU for a packet',
};

export function pictureTitle({ of, to, figure }: Ratio<PictureFigure>): string {
  const [ours, theirs] = [of, to].map((name) => PICTURE_ROWS.find((row) => row.name === name));
  return `picture, ${viewersOf(ours?.viewers ?? 0)}: ${ours?.subject} / ${theirs?.subject}: ${FIGURE_TITLE[figure] ?? figure}`;
}

const COLUMNS: readonly Column<PictureFigures>[] = [
  { title: 'picture', text: ({ subject }) => subject },
  { title: 'viewers', text: ({ viewers }) => String(viewers) },
  { title: 'KB', text: ({ kilobytes }) => formatFigure(kilobytes) },
  { title: 'p50 µs', text: ({ p50Us }) => formatFigure(p50Us) },
  { title: 'p99 µs', text: ({ p99Us }) => formatFigure(p99Us) },
  { title: 'pictures/s each', text: ({ perViewer }) => formatFigure(perViewer) },
  { title: 'CPU µs/packet', text: ({ packetCpuUs }) => formatFigure(packetCpuUs) },
  { title: 'sender CPU µs/picture', text: ({ senderCpuUs }) => formatFigure(senderCpuUs) },
  { title: 'crowd core', text: ({ crowdCore }) => `${Math.round(crowdCore * 100)} %` },
];

const METHOD = `Pictures are JPEGs of a moving screen. Their time is that from the hand-over, when the sender has them encoded, to the arrival. NATS
publish is a process that publishes as many bytes as often, and a uWebSockets.js server that sends each message to its viewers.
"CPU" is that of the thread with the viewers' sockets, "sender CPU" that of the thread on the other side of NATS. bench/README.md
says more.`;

export function formatPictures(layouts: readonly (Pictures & { readonly layout: Layout })[]): string {
  const parts = layouts.map(({ layout, pictures, pictureRatios }) => {
    const measured = pictureRatios.filter(({ ratio }) => Number.isFinite(ratio));
    return [
      `pictures, ${layout}`,
      formatTable(ratioColumns(pictureTitle), measured),
      formatTable(COLUMNS, pictures),
    ].join('\n\n');
  });
  return [...parts, METHOD].join('\n\n');
}
