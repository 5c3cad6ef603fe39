import { type Command, sameCommand } from './command.ts';
import type { Clip } from './surface.ts';
import { differsFrom } from './text.ts';

/** More rectangles cost more time to manage than they save in drawing. */
const RECTANGLES_MAX = 12;
/** Number of commands of the other list that are searched for a command before it counts as removed. */
const LOOK_AHEAD = 24;

/**
 * The areas in which two lists of commands may produce different pixels: the bounds of all commands that the lists do not
 * share in the same order. Every other pixel results from the same commands in the same order, whichever list is drawn.
 */
export function damageBetween(before: readonly Command[], after: readonly Command[]): Clip[] {
  const damage: Clip[] = [];
  let old = 0;
  let fresh = 0;
  while (old < before.length && fresh < after.length) {
    if (same(before[old], after[fresh])) {
      old++;
      fresh++;
      continue;
    }
    const [skipOld, skipFresh] = resume(before, old, after, fresh);
    const replaced = Math.min(skipOld, skipFresh);
    for (let count = 0; count < replaced; count++) addReplaced(damage, before[old++], after[fresh++]);
    for (let count = replaced; count < skipOld; count++) add(damage, before[old++]);
    for (let count = replaced; count < skipFresh; count++) add(damage, after[fresh++]);
  }
  while (old < before.length) add(damage, before[old++]);
  while (fresh < after.length) add(damage, after[fresh++]);
  return damage;
}

function same(a: Command | undefined, b: Command | undefined): boolean {
  return a !== undefined && b !== undefined && sameCommand(a, b);
}

/** The number of commands to skip in each list so that both continue with a shared command. */
function resume(before: readonly Command[], old: number, after: readonly Command[], fresh: number): [number, number] {
  for (let total = 1; total <= LOOK_AHEAD; total++) {
    for (let skip = 0; skip <= total; skip++) {
      if (same(before[old + skip], after[fresh + total - skip])) return [skip, total - skip];
    }
  }
  return [1, 1];
}

function area(clip: Clip): number {
  return (clip.right - clip.left) * (clip.bottom - clip.top);
}

function union(a: Clip, b: Clip): Clip {
  return {
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
  };
}

/** Adds what may differ between a command and the one in its place: of a line of text that begins alike, only the rest. */
function addReplaced(damage: Clip[], old: Command | undefined, fresh: Command | undefined): void {
  const left = old && fresh ? differsFrom(old, fresh) : undefined;
  for (const command of [old, fresh]) {
    if (left === undefined || !command) add(damage, command);
    else if (left < command.right) add(damage, { ...clipOf(command), left: Math.max(left, command.left) });
  }
}

const clipOf = ({ left, top, right, bottom }: Clip): Clip => ({ left, top, right, bottom });

/** Adds a rectangle. Joins it with others if drawing the gap between them is cheaper than one more rectangle. */
function add(damage: Clip[], part: Clip | undefined): void {
  if (!part) return;
  let grown = clipOf(part);
  for (let index = 0; index < damage.length; ) {
    const other = damage[index];
    if (other && area(union(grown, other)) <= (area(grown) + area(other)) * 1.2 + 400) {
      grown = union(grown, other);
      damage.splice(index, 1);
      index = 0;
    } else {
      index++;
    }
  }
  damage.push(grown);
  if (damage.length > RECTANGLES_MAX) joinClosest(damage);
}

function joinClosest(damage: Clip[]): void {
  let best = { first: 0, second: 1, waste: Number.POSITIVE_INFINITY };
  damage.forEach((a, first) => {
    for (let second = first + 1; second < damage.length; second++) {
      const b = damage[second];
      if (!b) continue;
      const waste = area(union(a, b)) - area(a) - area(b);
      if (waste < best.waste) best = { first, second, waste };
    }
  });
  const [b] = damage.splice(best.second, 1);
  const a = damage[best.first];
  if (a && b) damage[best.first] = union(a, b);
}
