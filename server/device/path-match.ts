import type { PathRule } from './app-package.ts';

/**
 * Android's rules for the path of a link, as in `android.os.PatternMatcher`: a star does not backtrack, so that the cost of an
 * untrusted pattern is bounded by its length and the path's.
 */
export function matchesPath({ kind, value }: PathRule, path: string): boolean {
  switch (kind) {
    case 'literal':
      return path === value;
    case 'prefix':
      return path.startsWith(value);
    case 'suffix':
      return path.endsWith(value);
    case 'pattern':
      return matchesGlob(value, path);
    case 'advanced':
      return matchesAdvanced(value, path);
  }
}

/** `.` matches any character, `*` repeats the previous one, `\` escapes the next one. */
function matchesGlob(pattern: string, path: string): boolean {
  let at = 0;
  let index = 0;
  while (index < pattern.length) {
    if (at === path.length) return pattern.slice(index) === '.*';
    const escaped = pattern.charAt(index) === '\\';
    if (escaped) index++;
    const character = pattern.charAt(index++);
    const any = !escaped && character === '.';
    if (pattern.charAt(index) !== '*') {
      if (!any && path.charAt(at) !== character) return false;
      at++;
      continue;
    }
    index++;
    if (!any) {
      while (at < path.length && path.charAt(at) === character) at++;
      continue;
    }
    if (index >= pattern.length) return true;
    // `.*` matches up to the first occurrence of the next character.
    if (pattern.charAt(index) === '\\') index++;
    const next = path.indexOf(pattern.charAt(index++), at);
    if (next < 0) return false;
    at = next + 1;
  }
  return at === path.length;
}

interface Token {
  readonly allows: (character: string) => boolean;
  readonly min: number;
  readonly max: number;
}

/** Sets such as `[a-z]` and `[^/]`, and counts: `*`, `+`, `{2}`, `{2,}`, `{2,4}`. A malformed pattern matches nothing. */
function matchesAdvanced(pattern: string, path: string): boolean {
  const tokens = readAdvanced(pattern);
  if (!tokens) return false;
  let at = 0;
  for (const { allows, min, max } of tokens) {
    const from = at;
    while (at < path.length && at - from < max && allows(path.charAt(at))) at++;
    if (at - from < min) return false;
  }
  return at === path.length;
}

const PIECE =
  /(?:\[(?<set>\^?(?:\\.|[^\]\\])+)\]|\\(?<escaped>.)|(?<plain>[^[\]\\*+{}]))(?<count>\*|\+|\{(\d{1,4})(,(\d{0,4}))?\})?/sy;

function readAdvanced(pattern: string): Token[] | undefined {
  const tokens: Token[] = [];
  PIECE.lastIndex = 0;
  while (PIECE.lastIndex < pattern.length) {
    const found = PIECE.exec(pattern);
    if (!found) return undefined;
    const [, set, escaped, plain, count, least = '', range, most = ''] = found;
    const allows = set !== undefined ? readSet(set) : readCharacter(escaped, plain);
    if (count === undefined) tokens.push({ allows, min: 1, max: 1 });
    else if (count === '*' || count === '+') tokens.push({ allows, min: count === '*' ? 0 : 1, max: Infinity });
    else {
      const min = Number(least);
      tokens.push({ allows, min, max: range === undefined ? min : most === '' ? Infinity : Number(most) });
    }
  }
  return tokens;
}

const readCharacter = (escaped: string | undefined, plain: string | undefined): Token['allows'] =>
  plain === '.' ? () => true : (character) => character === (escaped ?? plain);

function readSet(set: string): Token['allows'] {
  const negated = set.startsWith('^');
  const members = [...set.slice(negated ? 1 : 0).matchAll(/(\\.|[^\\])(?:-(\\.|[^\\]))?/gs)].map(
    ([, from = '', to = from]) => {
      return [from.slice(-1), to.slice(-1)] as const;
    },
  );
  return (character) => members.some(([from, to]) => character >= from && character <= to) !== negated;
}
