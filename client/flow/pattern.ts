/** Without any of these, a regular expression is the text that it stands for. */
const SPECIAL = /[\\^$.*+?()[\]{}|]/;

/** What a text has to be: a regular expression over the whole of it, in which the case of letters does not count. */
export interface Pattern {
  readonly written: string;
  /** The text itself, where it is no expression. */
  readonly literal: string | undefined;
  matches(text: string): boolean;
}

/** What is no regular expression stands for itself, such as `Total (2`. */
export function patternOf(text: string): Pattern {
  const whole = compiled(text);
  const plain = folded(text);
  return {
    written: text,
    literal: whole === undefined || !SPECIAL.test(text) ? text : undefined,
    matches: (said) =>
      folded(said) === plain || (whole !== undefined && (whole.test(said) || whole.test(inOneLine(said)))),
  };
}

function compiled(text: string): RegExp | undefined {
  try {
    return new RegExp(`^(?:${text})$`, 'is');
  } catch {
    return undefined;
  }
}

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
const folded = (text: string): string => inOneLine(text.normalize('NFC').toLowerCase());
