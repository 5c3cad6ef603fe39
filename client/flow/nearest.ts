/** More changes than this make another word. */
const CHANGES_MAX = 3;

/** The known name that is most like `name`; absent where none is. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.min(CHANGES_MAX, Math.ceil(name.length / 2)) + 1;
  for (const one of known) {
    const count = changes(name.toLowerCase(), one.toLowerCase());
    if (count < least) [best, least] = [one, count];
  }
  return best;
}

/** ` Did you mean "tapOn"?` */
export function didYouMean(name: string, known: Iterable<string>): string {
  const like = nearest(name, known);
  return like === undefined ? '' : ` Did you mean "${like}"?`;
}

/** Letters to insert, to delete and to replace until one word is the other. */
function changes(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let at = 1; at <= from.length; at++) {
    const next = [at];
    for (let index = 1; index <= to.length; index++) {
      const replaced = (row[index - 1] ?? 0) + (from[at - 1] === to[index - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[index] ?? 0) + 1, (next[index - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
