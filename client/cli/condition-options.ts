import type { Command } from 'commander';
import { type Checked, faultSentence } from '../../protocol/fault.ts';
import type { UiAnswer } from '../sdk/types.ts';
import type { OutputOptions } from './cli.ts';
import { invalidRequest } from './failure.ts';
import { toNumber } from './parse.ts';
import { type TargetOptions, targetOf, withTarget } from './target-options.ts';

export interface ConditionOptions extends OutputOptions, TargetOptions {
  readonly session?: string;
  readonly is?: string;
  readonly text?: string;
  readonly value?: string;
  readonly count?: number;
  readonly not?: true;
}

/** The options by which a person says what is to be so on the screen. */
export const withCondition = (command: Command): Command =>
  withTarget(command)
    .option('--is <state>', 'visible (default), enabled, selected, checked or focused')
    .option('--text <text>', 'its whole name or value is this text')
    .option('--value <text>', 'its whole value is this text')
    .option('--count <number>', 'so many elements fit', toNumber)
    .option('--not', 'it is not so: gone, disabled, another text, ...');

/** What the options say, of those that were given. */
export function conditionOf({ is, text, value, count, not, ...options }: ConditionOptions): Record<string, unknown> {
  const asked = Object.entries({ target: targetOf(options), is, text, value, count, not });
  return Object.fromEntries(asked.filter(([, given]) => given !== undefined));
}

/** What the contract's own rules let through; the rest is an invalid request. */
export function judged<T>(result: Checked<T>, command: string): T {
  if (result.ok) return result.value;
  throw invalidRequest(faultSentence(result.fault), `See "runcloud ${command} --help".`);
}

/** An answer in a line. */
export function lineOf({ holds, count = 0, element, found, idle }: UiAnswer): string {
  if (idle) return idle;
  if (!holds) return found ?? 'It is not so.';
  if (!element) return count === 0 ? 'no such element' : `${count} elements`;
  const { role, name = element.value, ref } = element;
  return [role, name === undefined ? undefined : JSON.stringify(name), ref]
    .filter((word) => word !== undefined)
    .join(' ');
}
