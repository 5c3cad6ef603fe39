import { figureTitle, type RatioTitle } from '../requests/report.ts';
import { PEER_ROWS } from './rows.ts';

const subjectOf = (name: string): string => PEER_ROWS.find((row) => row.name === name)?.subject ?? name;

/** `Appium / control socket: p50`. The load is left out, since no two ratios of a layout differ only by it. */
export const ratioTitle: RatioTitle = ({ of, to, figure }) =>
  `${subjectOf(of)} / ${subjectOf(to)}: ${figureTitle(figure)}`;
