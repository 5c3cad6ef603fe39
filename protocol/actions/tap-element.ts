import { Type } from '@sinclair/typebox';
import { freshTarget, TargetField, targetFault, WaitMs, waitFault, waitInForceMs } from '../target.ts';
import { defineAction, PointCount } from './define-action.ts';
import { FOUND } from './found.ts';

export const tapElement = defineAction({
  name: 'tapElement',
  summary: 'Tap an element',
  example: { target: { text: 'Save' } },
  fields: { target: TargetField, waitMs: Type.Optional(WaitMs) },
  result: { pointCount: PointCount, ...FOUND },
  rules: ({ target, waitMs }, timeoutMs) => targetFault(target) ?? waitFault(waitMs, timeoutMs),
  complete: ({ target, waitMs }, timeoutMs) => ({
    target: freshTarget(target),
    waitMs: waitInForceMs(waitMs, timeoutMs),
  }),
  long: true,
});
