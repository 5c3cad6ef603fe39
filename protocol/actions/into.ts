import { type Static, type TObject, Type } from '@sinclair/typebox';
import { type Fault, fault } from '../fault.ts';
import type { Controls } from '../platforms.ts';
import { freshTarget, TargetField, targetFault, WaitMs, waitFault, waitInForceMs } from '../target.ts';
import type { Lack } from './action.ts';
import { FOUND } from './found.ts';

/** What actions have in common that put text into an element, where one is named. */

export const INTO = { target: Type.Optional(TargetField), waitMs: Type.Optional(WaitMs) };
type Into = Static<TObject<typeof INTO>>;

/** Where it was found; absent where none was named. */
export const FOUND_INTO = {
  x: Type.Optional(FOUND.x),
  y: Type.Optional(FOUND.y),
  frame: Type.Optional(FOUND.frame),
};

export function intoFault({ target, waitMs }: Into, timeoutMs: number): Fault | undefined {
  if (target) return targetFault(target) ?? waitFault(waitMs, timeoutMs);
  return waitMs === undefined ? undefined : fault('waitMs', 'is for a target');
}

export const freshInto = ({ target, waitMs }: Into, timeoutMs: number): Into =>
  target ? { target: freshTarget(target), waitMs: waitInForceMs(waitMs, timeoutMs) } : {};

export const intoLack = ({ target }: Into, can: Controls): Lack | undefined =>
  target === undefined || can.ui ? undefined : { what: '"target" is' };
