/**
 * A shell on the device takes every command apart again, however it was sent: an argument that varies is one word for it
 * only between single quotes (POSIX shell, section 2.2.2). Throws for a NUL, which no argument can hold.
 */
export function quoteArgument(argument: string): string {
  if (argument.includes('\0')) throw new RangeError('an argument cannot hold a NUL character');
  if (/^[A-Za-z0-9_/.:=,+-]+$/.test(argument)) return argument;
  return `'${argument.replaceAll("'", "'\\''")}'`;
}

/** A command line for the device's shell, in which every word stays one word. */
export const commandLine = (words: readonly string[]): string => words.map(quoteArgument).join(' ');
