/** What a person reads of one line of a program. */
const CHARACTERS_MAX = 200;

/**
 * What a program or a device printed, fit to stand in a message: one line of visible characters, and not too long. Such
 * text is a stranger's: it is never taken for a command, a path or a name without a check of its own.
 */
export function plainLine(text: string): string {
  // Enough for the line, so that a long text costs no more than a short one.
  const line = text
    .slice(0, CHARACTERS_MAX * 4)
    .replace(/[^\p{L}\p{N}\p{P}\p{S} ]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  return line.length > CHARACTERS_MAX ? `${line.slice(0, CHARACTERS_MAX - 1)}…` : line;
}
