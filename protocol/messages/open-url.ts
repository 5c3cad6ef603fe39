import { Type } from '@sinclair/typebox';
import { RequestId } from '../actions/define-action.ts';
import { clientMessage } from './define-message.ts';

export const openUrl = clientMessage(
  'open-url',
  // The rules of the URL itself belong to the service behind it, which answers with its own codes.
  { requestId: RequestId, url: Type.String() },
);
