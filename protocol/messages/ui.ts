import { type TProperties, Type } from '@sinclair/typebox';
import { RequestId } from '../actions/define-action.ts';
import type { Fault } from '../fault.ts';
import {
  CHECK_FIELDS,
  conditionFault,
  type UiCondition,
  type UiWaitRequest,
  WAIT_FIELDS,
  waitRequestFault,
} from '../ui-condition.ts';
import { UiFormatField } from '../ui-format.ts';
import { clientMessage } from './define-message.ts';
import type { ClientMessageType } from './traits.ts';

/** Answered by a `result` whose `result` is a `UiTree`, or a `UiOutline` for the format `outline`. */
export const ui = clientMessage('ui', { requestId: RequestId, format: Type.Optional(UiFormatField) });

/** A message with rules that its schema cannot tell. */
function ruled<Name extends ClientMessageType, Fields extends TProperties, T>(
  type: Name,
  fields: Fields,
  rules: (message: T) => Fault | undefined,
) {
  const message = clientMessage(type, fields);
  return { ...message, check: (value: unknown) => message.check(value) ?? rules(value as T) };
}

/** Answered by a `result` whose `result` is a `UiAnswer`. */
export const uiCheck = ruled(
  'ui.check',
  { requestId: RequestId, ...CHECK_FIELDS },
  ({ target, is, text, value, count }: UiCondition) => conditionFault({ target, is, text, value, count }),
);

/** Answered as `ui.check`, when it is so. */
export const uiWait = ruled(
  'ui.wait',
  { requestId: RequestId, ...WAIT_FIELDS },
  ({ target, is, text, value, count, not, idle, timeoutMs }: UiWaitRequest) =>
    waitRequestFault({ target, is, text, value, count, not, idle, timeoutMs }),
);
