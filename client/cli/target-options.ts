import type { Command } from 'commander';
import type { Target } from '../sdk/types.ts';
import { toNumber } from './parse.ts';

export interface TargetOptions {
  readonly on?: string | undefined;
  readonly id?: string;
  readonly role?: string;
  readonly near?: string;
  readonly index?: number;
  readonly exact?: true;
  readonly ref?: string;
  readonly frame?: number;
}

/** The options by which a person describes an element of the screen. */
export const withSelector = (command: Command, text: string): Command =>
  command
    .option(text, 'the element with this name or value')
    .option('--id <id>', "the element with this id, the app's own name of it")
    .option('--role <role>', 'the kind of the element: button, textfield, cell, ...')
    .option('--near <text>', 'of several, the nearest to the element with this text')
    .option('--index <number>', 'which of several, from 0', toNumber)
    .option('--exact', 'the text is the whole name or value, letter by letter');

/** Those, and the ref of an element that was seen before. */
export const withTarget = (command: Command): Command =>
  withSelector(command, '--on <text>')
    .option('--ref <number>', 'the number behind "@" in what "ui" printed, with its --frame')
    .option('--frame <number>', 'the frame that the ref belongs to', toNumber);

/** The element that the options name; absent where none of them is given. The contract's own rules judge it. */
export function targetOf({ on, id, role, near, index, exact, ref, frame }: TargetOptions): Target | undefined {
  const given = {
    ref: ref === undefined ? undefined : `@${ref.replace(/^@/, '')}`,
    frame,
    text: on,
    id,
    role,
    near,
    index,
    exact,
  };
  const named = Object.entries(given).filter(([, value]) => value !== undefined);
  return named.length === 0 ? undefined : (Object.fromEntries(named) as Target);
}
