const COUNT_MAX = 3;
/** Shorter beginnings fit too much. */
const BEGINNING_MIN = 2;

/**
 * The commands that a word may stand for, which is no command: those whose last word it is, else those that begin with it, or
 * whose last word does. Typing mistakes are commander's.
 *
 * @param paths `session create` and so on, the likeliest first
 */
export function suggestions(word: string, paths: readonly string[]): readonly string[] {
  const last = (path: string): string => path.slice(path.lastIndexOf(' ') + 1);
  const named = paths.filter((path) => last(path) === word);
  const begun = word.length < BEGINNING_MIN ? [] : paths.filter((path) => last(path).startsWith(word));
  return (named.length > 0 ? named : begun).slice(0, COUNT_MAX);
}
