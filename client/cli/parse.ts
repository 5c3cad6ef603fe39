import { parseDurationMs } from '../../protocol/duration-text.ts';
import type { Point } from '../sdk/types.ts';
import { invalidRequest } from './failure.ts';

/** Arguments as people write them. What is no number becomes NaN, which the contract's own rules refuse by name. */

export const toNumber = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));

/** `0.5,0.25` */
export function toPoint(text: string): Point {
  const [x = '', y = '', ...rest] = text.split(',');
  return rest.length > 0 ? { x: Number.NaN, y: Number.NaN } : { x: toNumber(x), y: toNumber(y) };
}

/** Milliseconds: `1500`, `1500ms` or `1s`. */
export const toMs = (text: string): number => parseDurationMs(text) ?? toNumber(text);

/** `name=value`, given several times. */
export function toPairs(text: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const equals = text.indexOf('=');
  if (equals < 1) throw invalidRequest(`"${text}" must be written as name=value.`);
  return { ...before, [text.slice(0, equals)]: text.slice(equals + 1) };
}

/** `on` or `off`. */
export function toSwitch(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw invalidRequest(`"${text}" must be on or off.`);
  return text === 'on';
}

/** `shift,alt`, also given several times. */
export const toList = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...text.split(','),
];
