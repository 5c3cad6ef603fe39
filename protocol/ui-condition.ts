import { Type } from '@sinclair/typebox';
import { ACTION_LIMITS } from './action-limits.ts';
import type { Target } from './actions/action.ts';
import { TimeoutMs } from './actions/define-action.ts';
import { compileCheck, oneOf } from './compile-check.ts';
import { type Checked, type Fault, fault } from './fault.ts';
import { freshTarget, TargetField, targetFault } from './target.ts';
import { UI_LIMITS } from './ui-limits.ts';
import { UI_STATES, type UiState } from './ui-states.ts';

/** What is asked of the elements that a selector fits: one of `is`, `text`, `value` and `count`, or else that one is in sight. */
export interface UiCondition {
  /** A selector; a ref belongs to one frame. */
  readonly target: Target;
  readonly is?: UiState | undefined;
  /** The whole of its name or value, runs of spaces counted as one. */
  readonly text?: string | undefined;
  /** The whole of its value, letter by letter. */
  readonly value?: string | undefined;
  /** How many elements fit. */
  readonly count?: number | undefined;
  /** It is not so. */
  readonly not?: boolean | undefined;
}

/** What is waited for: a condition, or that the screen stands still. */
export type UiWait = UiCondition | { readonly idle: true };

const words = (description: string) =>
  Type.Optional(Type.String({ maxLength: ACTION_LIMITS.expectedCharacters.max, description, examples: ['Saved'] }));

const CONDITION = {
  is: Type.Optional(
    oneOf(UI_STATES, { description: 'A state of the element; default: `visible`', examples: ['enabled'] }),
  ),
  text: words('The whole of its name or value, runs of spaces counted as one'),
  value: words('The whole of its value, letter by letter'),
  count: Type.Optional(
    Type.Integer({ minimum: 0, maximum: UI_LIMITS.uiNodes, description: 'How many elements fit', examples: [3] }),
  ),
  not: Type.Optional(Type.Boolean({ description: 'It is not so' })),
};

/** Fields of the message and of the body that ask whether something is so. */
export const CHECK_FIELDS = { target: TargetField, ...CONDITION };

/** Fields of the message and of the body that wait until something is so. */
export const WAIT_FIELDS = {
  target: Type.Optional(TargetField),
  ...CONDITION,
  idle: Type.Optional(
    Type.Literal(true, { description: 'The screen stands still: instead of a target, and without a timeout' }),
  ),
  timeoutMs: Type.Optional(TimeoutMs),
};

/** The body of `POST .../ui/check`. */
export const UiCheckRequest = Type.Object(CHECK_FIELDS, {
  $id: 'UiCheck',
  additionalProperties: false,
  examples: [{ target: { text: 'Dark mode' }, is: 'checked' }],
});

/** The body of `POST .../ui/wait`. */
export const UiWaitRequest = Type.Object(WAIT_FIELDS, {
  $id: 'UiWait',
  additionalProperties: false,
  examples: [{ target: { text: 'Saved' }, timeoutMs: 5_000 }],
});

export interface UiWaitRequest extends Omit<UiCondition, 'target'> {
  readonly target?: Target | undefined;
  readonly idle?: true | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Fields of a selector that choose one of several elements. */
const ONE_OF_SEVERAL = ['near', 'index'] as const;
const ASKED = ['is', 'text', 'value', 'count'] as const;

/** A condition that says too little, or two things at once. */
export function conditionFault({ target, ...asked }: UiCondition): Fault | undefined {
  if (target.ref !== undefined) return fault('target.ref', 'belongs to one frame; name the element by a selector');
  const [, second] = ASKED.filter((name) => asked[name] !== undefined);
  if (second) return fault(second, `must be alone: one of ${ASKED.join(', ')}`);
  const place = asked.count === undefined ? undefined : ONE_OF_SEVERAL.find((name) => target[name] !== undefined);
  return targetFault(target) ?? (place && fault(`target.${place}`, 'is not for a count'));
}

/** The same of a wait. */
export function waitRequestFault({ target, idle, timeoutMs, ...asked }: UiWaitRequest): Fault | undefined {
  if (idle === undefined) {
    return target ? conditionFault({ target, ...asked }) : fault('target', 'is required, or idle');
  }
  if (timeoutMs !== undefined) return fault('timeoutMs', 'is not for idle, which takes 2 seconds at most');
  const other = Object.entries({ target, ...asked }).find(([, value]) => value !== undefined);
  return other && fault(other[0], 'is not for idle');
}

/** A condition with its fields in one order and nothing that says nothing. */
export function freshCondition({ target, is, text, value, count, not }: UiCondition): UiCondition {
  const asked = Object.entries({ is, text, value, count, not: not === true ? true : undefined });
  return { target: freshTarget(target), ...Object.fromEntries(asked.filter(([, given]) => given !== undefined)) };
}

/** What a wait is for, in the same way. The request has no fault. */
export const freshWait = ({ target, idle, timeoutMs: _time, ...asked }: UiWaitRequest): UiWait =>
  idle || !target ? { idle: true } : freshCondition({ target, ...asked });

const checkedBy =
  <T>(check: (value: unknown) => Fault | undefined, rules: (value: T) => Fault | undefined) =>
  (value: unknown): Checked<T> => {
    const refused = check(value) ?? rules(value as T);
    return refused ? { ok: false, fault: refused } : { ok: true, value: value as T };
  };

export const checkUiCheck = /* @__PURE__ */ checkedBy<UiCondition>(compileCheck(UiCheckRequest), conditionFault);
export const checkUiWait = /* @__PURE__ */ checkedBy<UiWaitRequest>(compileCheck(UiWaitRequest), waitRequestFault);
