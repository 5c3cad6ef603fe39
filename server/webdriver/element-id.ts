import { createHash } from 'node:crypto';
import { WebDriverFailure } from './failure.ts';
import type { Placed, Screen } from './screen.ts';

/** W3C WebDriver, section 12.1: the name of the field that holds an element's reference; and that of older clients. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';
const OLD_ELEMENT = 'ELEMENT';

const ID = /^([A-Za-z0-9_-]{16})-(\d{1,4})-(\d{1,4})$/;

const keyOf = ({ node: { role, name = '', id = '' } }: Placed): string =>
  createHash('sha256')
    .update(JSON.stringify([role, name, id]))
    .digest('base64url')
    .slice(0, 16);

type Groups = ReadonlyMap<string, readonly Placed[]>;
const GROUPS = new WeakMap<Screen, Groups>();

/** The elements of a screen that are alike, by their key. */
function groupsOf(screen: Screen): Groups {
  let groups = GROUPS.get(screen);
  if (!groups) {
    const found = new Map<string, Placed[]>();
    for (const placed of screen.elements) {
      const key = keyOf(placed);
      const group = found.get(key);
      if (group) group.push(placed);
      else found.set(key, [placed]);
    }
    groups = found;
    GROUPS.set(screen, groups);
  }
  return groups;
}

/**
 * References of elements. Frames of the screen end with each input, references of WebDriver do not: one says what the element is
 * (its role, name and id), which of those alike it is, and of how many. So nothing is kept for it, and it is stale once no element is
 * that one for certain.
 */
export const referenceTo = (screen: Screen, placed: Placed): Readonly<Record<string, string>> => {
  const key = keyOf(placed);
  const alike = groupsOf(screen).get(key) ?? [];
  const id = `${key}-${alike.indexOf(placed)}-${alike.length}`;
  return { [ELEMENT]: id, [OLD_ELEMENT]: id };
};

/** Throws `no such element` for what is no reference, and `stale element reference` for one whose element is not there. */
export function elementOf(screen: Screen, reference: string): Placed {
  const [, key, at, count] = ID.exec(reference) ?? [];
  if (key === undefined) {
    throw new WebDriverFailure('no such element', `${JSON.stringify(reference)} is no reference of an element.`);
  }
  const alike = groupsOf(screen).get(key) ?? [];
  const placed = alike.length === Number(count) ? alike[Number(at)] : undefined;
  if (placed) return placed;
  const why =
    alike.length === 0 ? 'It is not on the screen' : `There are ${alike.length} elements like it now, not ${count}`;
  throw new WebDriverFailure('stale element reference', `${why}. Find it again.`);
}

/** The reference in a value that stands for an element, such as the origin of a pointer's move. */
export function referenceIn(value: unknown): string | undefined {
  const id = (value as Readonly<Record<string, unknown>> | null)?.[ELEMENT];
  return typeof id === 'string' ? id : undefined;
}
