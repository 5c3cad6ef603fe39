import { BUTTONS, type Button, ORIENTATIONS, type Orientation, type ScrollDirection } from '@runcloud/protocol/terms';
import type { InteractionRequest } from '../../client/sdk/interactions.ts';
import type { Key, Point, Target } from '../../client/sdk/types.ts';
import { ToolFailure } from './failure.ts';

/** One step of `act`, flat: language models make fewer mistakes with one kind of object. */
export interface Step {
  readonly do: 'tap' | 'type' | 'press' | 'key' | 'swipe' | 'scroll' | 'hold' | 'rotate';
  readonly ref?: string;
  readonly text?: string;
  readonly id?: string;
  readonly role?: string;
  readonly near?: string;
  readonly index?: number;
  readonly x?: number;
  readonly y?: number;
  readonly toX?: number;
  readonly toY?: number;
  readonly value?: string;
  readonly ms?: number;
}

const SHARE = { type: 'number', minimum: 0, maximum: 1 } as const;
const TEXT = { type: 'string', minLength: 1, maxLength: 200 } as const;

export const STEP = {
  type: 'object',
  properties: {
    do: { enum: ['tap', 'type', 'press', 'key', 'swipe', 'scroll', 'hold', 'rotate'] },
    ref: { type: 'string', pattern: '^@[1-9][0-9]{0,4}$' },
    text: TEXT,
    id: TEXT,
    role: TEXT,
    near: TEXT,
    index: { type: 'integer', minimum: 0, maximum: 4999 },
    x: SHARE,
    y: SHARE,
    toX: SHARE,
    toY: SHARE,
    value: { type: 'string', maxLength: 10_000 },
    ms: { type: 'integer', minimum: 50, maximum: 30_000 },
  },
  required: ['do'],
  additionalProperties: false,
} as const;

const HOLD_MS = 800;
const SCROLL_SHARE = 0.6;
const DIRECTIONS: Readonly<Record<string, { readonly deltaX: number; readonly deltaY: number }>> = {
  down: { deltaX: 0, deltaY: SCROLL_SHARE },
  up: { deltaX: 0, deltaY: -SCROLL_SHARE },
  right: { deltaX: SCROLL_SHARE, deltaY: 0 },
  left: { deltaX: -SCROLL_SHARE, deltaY: 0 },
};

/** What a person's keyboard has. */
const TYPEABLE = /^[\t\n\x20-\x7e]*$/;

/** Whether a step names an element by what it says; by a ref it names one of a frame. */
export const hasSelector = ({ text, id, role }: Step): boolean => (text ?? id ?? role) !== undefined;

const selectorOf = ({ text, id, role, near, index }: Step): Target =>
  Object.fromEntries(
    Object.entries({ text, id, role, near, index }).filter(([, value]) => value !== undefined),
  ) as unknown as Target;

/** Where a step acts, found in the frame of its dispatch. */
export interface Place {
  readonly target: Target;
  /** The middle of the element, for what cannot name one. */
  readonly at: Point;
}

/** The request of a step. Throws a `ToolFailure` for a step that says too little or what there is not. */
export function requestOf(step: Step, place: Place | undefined): InteractionRequest {
  const { value, x, y, toX, toY, ms } = step;
  const target = place?.target ?? (hasSelector(step) ? selectorOf(step) : undefined);
  const at = place?.at ?? (x === undefined || y === undefined ? undefined : { x, y });
  switch (step.do) {
    case 'tap':
      if (target) return { action: 'tapElement', target };
      if (at) return { action: 'tap', ...at };
      throw lacks(step, 'a ref, a selector (text, id or role), or x and y');
    case 'type': {
      if (value === undefined || value === '') throw lacks(step, 'value, the text');
      const into = target === undefined ? {} : { target };
      return TYPEABLE.test(value)
        ? { action: 'typeText', text: value, ...into }
        : { action: 'insertText', text: value, ...into };
    }
    case 'press':
      if (!BUTTONS.includes(value as Button)) throw lacks(step, `value, one of ${BUTTONS.join(', ')}`);
      return { action: 'pressButton', button: value as Button, ...(ms === undefined ? {} : { durationMs: ms }) };
    case 'key':
      if (value === undefined) throw lacks(step, 'value, such as enter or backspace');
      return { action: 'pressKey', key: value as Key };
    case 'swipe':
      if (!at || toX === undefined || toY === undefined) throw lacks(step, 'x, y, toX and toY');
      return { action: 'swipe', from: at, to: { x: toX, y: toY }, ...(ms === undefined ? {} : { durationMs: ms }) };
    case 'hold':
      if (!at) throw lacks(step, 'a ref, or x and y');
      return { action: 'swipe', from: at, to: at, durationMs: ms ?? HOLD_MS };
    case 'scroll': {
      const delta = DIRECTIONS[value ?? 'down'];
      if (!delta) throw lacks(step, `value, one of ${Object.keys(DIRECTIONS).join(', ')}`);
      // A ref is in sight already: the list there is scrolled.
      if (target && !place) {
        const direction = value as ScrollDirection | undefined;
        return { action: 'scrollTo', target, ...(direction === undefined ? {} : { direction }) };
      }
      return { action: 'scroll', ...delta, ...at };
    }
    case 'rotate':
      if (!ORIENTATIONS.includes(value as Orientation)) throw lacks(step, `value, one of ${ORIENTATIONS.join(', ')}`);
      return { action: 'rotate', orientation: value as Orientation };
  }
}

const lacks = (step: Step, what: string): ToolFailure =>
  new ToolFailure('invalid_request', `"${step.do}" needs ${what}.`);
