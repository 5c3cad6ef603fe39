import type { Layout } from '../../processes/pin.ts';
import type { Comparison } from '../../report/ratios.ts';
import { rowName } from '../requests/row.ts';
import type { PictureFigures } from './picture-figures.ts';
import type { FleetService } from './rows.ts';

export type PictureSender = 'NATS publish' | FleetService;

/** One line of the table of pictures: a number of viewers at one edge. */
export interface PictureRow {
  readonly name: string;
  readonly subject: PictureSender;
  readonly viewers: number;
}

const SENDERS: readonly PictureSender[] = ['NATS publish', 'service alone', 'edge and host'];
const VIEWERS = [1, 8] as const;

export const viewersOf = (viewers: number): string => (viewers === 1 ? '1 viewer' : `${viewers} viewers`);
const pictureName = (sender: PictureSender, viewers: number): string => rowName(sender, viewersOf(viewers));

export const PICTURE_ROWS: readonly PictureRow[] = VIEWERS.flatMap((viewers) =>
  SENDERS.map((subject) => ({ name: pictureName(subject, viewers), subject, viewers })),
);

/** Maximum median delay of a picture relative to a bare NATS publish of the same bytes. */
const PICTURE_P50_MAX = 1.3;

export type PictureFigure = Exclude<keyof PictureFigures, keyof PictureRow>;

/** The goal holds where the servers have a core of their own, for one viewer: the control does nothing for each further one but its write. */
export function pictureComparisons(layout: Layout): readonly Comparison<PictureFigure>[] {
  return VIEWERS.flatMap((viewers): Comparison<PictureFigure>[] => {
    const compare = (to: PictureSender, figure: PictureFigure) => ({
      of: pictureName('edge and host', viewers),
      to: pictureName(to, viewers),
      figure,
    });
    const toPublish = compare('NATS publish', 'p50Us');
    return [
      layout === 'two-cores' && viewers === 1 ? { ...toPublish, target: PICTURE_P50_MAX } : toPublish,
      compare('NATS publish', 'p99Us'),
      compare('NATS publish', 'perViewer'),
      compare('NATS publish', 'packetCpuUs'),
      compare('service alone', 'p50Us'),
    ];
  });
}
