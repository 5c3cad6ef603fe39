import { Type } from '@sinclair/typebox';
import { ACTION_LIMITS } from '../action-limits.ts';
import { oneOf } from '../compile-check.ts';
import { freshTarget, selectorFault, TargetField, WaitMs, waitFault, waitInForceMs } from '../target.ts';
import { defineAction } from './define-action.ts';
import { FOUND } from './found.ts';
import { SCROLL_DIRECTIONS } from './scroll-directions.ts';

const Sum = (edge: string) => Type.Number({ description: `Scrolled ${edge}s of the display`, examples: [0.5] });

/**
 * It stands beside `scroll` and is no form of it: it takes its time, looks before and after each step, and answers with a place, while
 * `scroll` is one short input of which several may be sent together.
 */
export const scrollTo = defineAction({
  name: 'scrollTo',
  summary: 'Scroll until an element is in sight',
  example: { target: { text: 'Imprint' } },
  fields: {
    target: TargetField,
    within: Type.Optional(TargetField),
    direction: Type.Optional(oneOf(SCROLL_DIRECTIONS, { description: 'The only direction; else down, then up' })),
    waitMs: Type.Optional(WaitMs),
  },
  result: { ...FOUND, deltaX: Sum('width'), deltaY: Sum('height') },
  rules: ({ target, within, waitMs }, timeoutMs) =>
    selectorFault(target, 'target') ?? (within && selectorFault(within, 'within')) ?? waitFault(waitMs, timeoutMs),
  complete: ({ target, within, direction, waitMs }, timeoutMs) => ({
    target: freshTarget(target),
    ...(within && { within: freshTarget(within) }),
    ...(direction && { direction }),
    waitMs: waitInForceMs(waitMs, timeoutMs, ACTION_LIMITS.scrollToMs),
  }),
  long: true,
});
