import { dim, type Line, type Span } from './line.ts';
import { padded, widthOf } from './width.ts';

/** Facts under each other, each behind its name; absent ones are left out. */
export function facts(named: Readonly<Record<string, Span | undefined>>): Line[] {
  const present = Object.entries(named).flatMap(([name, fact]) => (fact === undefined ? [] : [[name, fact] as const]));
  const width = Math.max(0, ...present.map(([name]) => widthOf(name)));
  return present.map(([name, fact]) => [dim(padded(name, width + 2)), fact]);
}
