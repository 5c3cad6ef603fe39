import { RequestId } from '../actions/define-action.ts';
import { HistoryQuery } from '../history.ts';
import { clientMessage } from './define-message.ts';

/** A part of the session's history; see `HistoryQuery`. */
export const historyList = clientMessage('history.list', { requestId: RequestId, ...HistoryQuery.properties });
