import { figureTitle, type RatioTitle } from '../requests/report.ts';
import { REST_ROWS } from './rows.ts';

/** `POST tap, 16 connections: RunCloud / Fastify: answers/s`. */
export const ratioTitle: RatioTitle = ({ of, to, figure }) => {
  const [ours, theirs] = [of, to].map((name) => REST_ROWS.find((row) => row.name === name));
  const what = ours?.subject.slice(`${ours.server}: `.length);
  return `${what}, ${ours?.load}: ${ours?.server} / ${theirs?.server}: ${figureTitle(figure)}`;
};
