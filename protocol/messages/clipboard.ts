import { RequestId } from '../actions/define-action.ts';
import { WrittenText } from '../clipboard.ts';
import { clientMessage } from './define-message.ts';

/** Answered by a `result` whose `result` is the clipboard's text. */
export const clipboardGet = clientMessage('clipboard.get', { requestId: RequestId });

/** Answered as `clipboard.get`, with what the device holds after it has taken the text. */
export const clipboardSet = clientMessage('clipboard.set', { requestId: RequestId, text: WrittenText });
