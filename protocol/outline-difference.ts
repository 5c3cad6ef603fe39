/**
 * What is otherwise in an outline than in the one before: its first line, `- ` lines that are gone and `+ ` lines that are new or
 * have another ref. Of the two the shorter is told: the difference, or the whole.
 */
export function difference(before: string, after: string): string {
  const [, ...old] = linesOf(before);
  const [head = '', ...now] = linesOf(after);
  const { removed, added } = changed(old, now);
  if (removed.length + added.length === 0) return `${head}\nnothing changed`;
  const stays = new Set(added.map(withoutRefs));
  const gone = removed.filter((line) => !stays.has(withoutRefs(line)));
  const told = [head, ...gone.map((line) => `- ${withoutRefs(line)}`), ...added.map((line) => `+ ${line.trim()}`)].join(
    '\n',
  );
  return told.length < after.length ? told : after.trimEnd();
}

const linesOf = (outline: string): readonly string[] => outline.trimEnd().split('\n');

/** Of a line that is gone the refs name nothing. */
const withoutRefs = (line: string): string => line.replaceAll(/ @\d+(?:–@\d+)?/g, '').trim();

/** Lines of one outline that the other has not, in their order; lines at both ends that are equal are not compared. */
function changed(old: readonly string[], now: readonly string[]) {
  let from = 0;
  while (from < old.length && from < now.length && old[from] === now[from]) from++;
  let [oldEnd, nowEnd] = [old.length, now.length];
  while (oldEnd > from && nowEnd > from && old[oldEnd - 1] === now[nowEnd - 1]) {
    oldEnd--;
    nowEnd--;
  }
  const [oldPart, nowPart] = [old.slice(from, oldEnd), now.slice(from, nowEnd)];
  const [had, has] = [new Set(oldPart), new Set(nowPart)];
  return { removed: oldPart.filter((line) => !has.has(line)), added: nowPart.filter((line) => !had.has(line)) };
}
