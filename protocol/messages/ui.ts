import { Type } from '@sinclair/typebox';
import { RequestId } from '../actions/define-action.ts';
import { UiFormatField } from '../ui-format.ts';
import { clientMessage } from './define-message.ts';

/** Answered by a `result` whose `result` is a `UiTree`, or a `UiOutline` for the format `outline`. */
export const ui = clientMessage('ui', { requestId: RequestId, format: Type.Optional(UiFormatField) });
