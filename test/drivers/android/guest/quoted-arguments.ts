import { execFileSync } from 'node:child_process';
import { commandLine } from '../../../../server/drivers/android/guest/quote.ts';

/** Pieces that mean something to a shell, to `input`, or to whoever splits lines. */
const PIECES = [
  "'",
  '"',
  '`',
  '$',
  '$(id)',
  ['$', '{HOME}'].join(''),
  '\\',
  '\n',
  '\r',
  '\t',
  ' ',
  ';',
  '&',
  '&&',
  '|',
  '>',
  '<',
  '*',
  '?',
  '[a]',
  '~',
  '#',
  '!',
  '%',
  '%s',
  '-',
  '--',
  '-n',
  '=',
  '{a,b}',
  '(',
  ')',
  'ä',
  '漢',
  '😀',
  '^',
  '\u202e',
  '\u2028',
  '\ufffd',
  'e\u0301',
  '\u0001',
  '\u007f',
  'a',
  'Z',
  '0',
  '/',
  '.',
];

/** Random arguments; the empty one, and those that look like options, among them. */
export function randomArguments(count: number, random: () => number): string[] {
  return Array.from({ length: count }, () => {
    const length = Math.floor(random() * 12);
    return Array.from({ length }, () => PIECES[Math.floor(random() * PIECES.length)]).join('');
  });
}

const BATCH = 500;

/** The arguments as a program gets them from a real shell that was given the command line. */
export function throughShell(words: readonly string[]): string[] {
  const got: string[] = [];
  for (let at = 0; at < words.length; at += BATCH) {
    const line = commandLine(['/usr/bin/printf', '%s\\0', ...words.slice(at, at + BATCH)]);
    const output = execFileSync('/bin/sh', ['-c', line], { env: {}, maxBuffer: 2 ** 24 });
    got.push(...output.toString().split('\0').slice(0, -1));
  }
  return got;
}
