import { Type } from '@sinclair/typebox';
import { ACTION_LIMITS } from './action-limits.ts';
import type { Target } from './actions/action.ts';
import { milliseconds } from './actions/define-action.ts';
import { oneOf } from './compile-check.ts';
import { type Fault, fault } from './fault.ts';
import { UI_ROLES } from './ui-roles.ts';

const Text = (description: string) =>
  Type.Optional(
    Type.String({
      minLength: ACTION_LIMITS.targetCharacters.min,
      maxLength: ACTION_LIMITS.targetCharacters.max,
      description,
      examples: ['Save'],
    }),
  );

/** See `Target`. */
const Schema = Type.Object(
  {
    ref: Type.Optional(
      Type.String({
        pattern: '^@[1-9][0-9]{0,4}$',
        words: '"@" and a number',
        description: 'Its ref',
        examples: ['@4'],
      }),
    ),
    frame: Type.Optional(
      Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'The frame of the ref' }),
    ),
    text: Text('In its name or value'),
    id: Text('Its id'),
    role: Type.Optional(oneOf(UI_ROLES, { description: 'Its role' })),
    near: Text('Text of its neighbour'),
    index: Type.Optional(
      Type.Integer({
        minimum: ACTION_LIMITS.targetIndex.min,
        maximum: ACTION_LIMITS.targetIndex.max,
        description: 'Which of several',
      }),
    ),
    exact: Type.Optional(Type.Boolean({ description: '`text` is the whole of it' })),
  },
  {
    $id: 'UiTarget',
    additionalProperties: false,
    description: '`ref` and `frame`, or one of `text`, `id` and `role`',
  },
);
export const TargetField = Type.Unsafe<Target>(Schema);

export const WaitMs = milliseconds(ACTION_LIMITS.waitMs, 'Milliseconds to wait for the element');

/** A selector that says too little. */
const selectorLack = ({ text, id, role }: Target, name: string, instead = ''): Fault | undefined =>
  (text ?? id ?? role) === undefined ? fault(name, `must have ${instead}one of "text", "id" and "role"`) : undefined;

/** A target that may be no ref, and says too little or is one. */
export function selectorFault(target: Target, name: string): Fault | undefined {
  const odd = (['ref', 'frame'] as const).find((field) => target[field] !== undefined);
  return odd ? fault(`${name}.${odd}`, 'is not for a selector') : selectorLack(target, name);
}

/** A target that says too little, or two things at once. */
export function targetFault({ ref, frame, ...selector }: Target): Fault | undefined {
  if (ref === undefined && frame === undefined) return selectorLack(selector, 'target', '"ref" and "frame", or ');
  if (ref === undefined) return fault('target.ref', 'is required where frame is given');
  if (frame === undefined) return fault('target.frame', 'is required where ref is given');
  const other = Object.entries(selector).find(([, value]) => value !== undefined);
  return other && fault(`target.${other[0]}`, 'is not for a ref');
}

/** A wait that is longer than the request may take. */
export const waitFault = (waitMs = 0, timeoutMs = 0): Fault | undefined =>
  waitMs > timeoutMs ? fault('waitMs', `must be at most the timeout of ${timeoutMs} ms`) : undefined;

/** No default is longer than that. */
export const waitInForceMs = (
  waitMs: number | undefined,
  timeoutMs: number,
  defaultMs: number = ACTION_LIMITS.waitMs.default,
): number => (waitMs === undefined ? Math.min(defaultMs, timeoutMs) : waitMs + 0);

/** A copy with its fields in one order, so that a repeated request is equal however it was written down. */
export function freshTarget(target: Target): Target {
  const names = Object.keys(Schema.properties) as (keyof Target)[];
  return Object.fromEntries(names.map((name) => [name, target[name]]).filter(([, value]) => value !== undefined));
}
