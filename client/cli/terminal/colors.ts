import { styleText } from 'node:util';
import type { Style } from './line.ts';

/** A text in its style. It must not hold control characters. */
export const colored = (text: string, style: Style): string => styleText(style, text, { validateStream: false });

/** Whether a terminal is to show styles: `FORCE_COLOR` overrides `NO_COLOR`, as it does for Node.js. */
export function showsColors({ FORCE_COLOR, NO_COLOR, TERM }: Readonly<Record<string, string | undefined>>): boolean {
  if (FORCE_COLOR !== undefined) return !['0', 'false'].includes(FORCE_COLOR);
  return !NO_COLOR && TERM !== 'dumb';
}
