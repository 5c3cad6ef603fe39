import { whole } from '../fields.ts';
import { Coordinate } from './point.ts';

/** Where a target was found, in the result of an action on it. */
export const FOUND = { x: Coordinate, y: Coordinate, frame: whole('Number of its frame', 42) };
