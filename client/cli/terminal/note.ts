import type { View } from '../cli.ts';
import { dim, type Line } from './line.ts';
import { wrapped } from './width.ts';

/** What else there is to know, after a result. */
export const note = (text: string, { columns }: View): readonly Line[] => wrapped(text, columns).map(dim);
