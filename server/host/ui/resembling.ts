/** Looked through for likeness; a screen for people has less. */
const LOOKED_MAX = 500;
const LIKE_MIN = 0.3;

/** The items whose texts are most like `text`, by the pairs of letters that they share; the most alike first. */
export function resembling<T>(
  text: string,
  items: readonly T[],
  textOf: (item: T) => string,
  max: number,
): readonly T[] {
  const wanted = pairsOf(text);
  return items
    .slice(0, LOOKED_MAX)
    .map((item) => ({ item, likeness: likeness(wanted, pairsOf(textOf(item))) }))
    .filter(({ likeness }) => likeness >= LIKE_MIN)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, max)
    .map(({ item }) => item);
}

function pairsOf(text: string): ReadonlySet<string> {
  const pairs = new Set<string>();
  for (let at = 0; at < text.length - 1; at++) pairs.add(text.slice(at, at + 2));
  return pairs;
}

function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const pair of one) if (other.has(pair)) shared++;
  return one.size + other.size === 0 ? 0 : (2 * shared) / (one.size + other.size);
}
