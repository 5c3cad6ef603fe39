/** The longest line that a message quotes. */
const CHARACTERS_MAX = 200;

/**
 * Makes a program's or a device's output fit for a message: one line of visible characters, and not too long. Such text
 * is untrusted: it is never used as a command, a path or a name without a check of its own.
 */
export function plainLine(text: string): string {
  // Enough for the line, so that a long text costs no more than a short one.
  const line = text
    .slice(0, CHARACTERS_MAX * 4)
    .replace(/[^\p{L}\p{N}\p{P}\p{S} ]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  // A cut within a character leaves no half of it.
  return line.length > CHARACTERS_MAX ? `${line.slice(0, CHARACTERS_MAX - 1).replace(/\p{Cs}/gu, '')}…` : line;
}
