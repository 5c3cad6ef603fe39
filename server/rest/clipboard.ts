import { type Acknowledgement, type ClipboardText, newId } from '@runcloud/protocol';
import { accessClipboard } from '../session/clipboard.ts';
import type { CallTo } from './call.ts';
import { type Sender, senderOf } from './control.ts';
import { originOf } from './origin.ts';
import { acknowledgementReply, type FailureReply, type JsonReply, json } from './reply.ts';
import type { Services } from './services.ts';

type ClipboardReply = JsonReply<200, ClipboardText> | FailureReply;

/** `GET .../clipboard`: the text in the device's clipboard. */
export const readClipboard = (call: CallTo<'readClipboard'>): Promise<ClipboardReply> => use(call);

/** `PUT .../clipboard`: the text in the device's clipboard after the device has taken the caller's. */
export const writeClipboard = (call: CallTo<'writeClipboard'>, services: Services): Promise<ClipboardReply> =>
  use(call, call.body.text, senderOf(call, services));

function use(
  { owner, named, session }: Pick<CallTo<'readClipboard'>, 'owner' | 'named' | 'session'>,
  text?: string,
  sender?: Sender,
): Promise<ClipboardReply> {
  const requestId = newId('req');
  named.requestId = requestId;
  return new Promise((resolve) => {
    const settled = (acknowledgement: Acknowledgement) => resolve(replyOf(acknowledgement));
    const request = { requestId, ...(text === undefined ? {} : { text }) };
    accessClipboard(session, request, { origin: originOf(session, owner), ...sender, settled });
  });
}

function replyOf(acknowledgement: Acknowledgement): ClipboardReply {
  const { ok, result } = acknowledgement;
  return ok && result ? json(200, result as ClipboardText) : (acknowledgementReply(acknowledgement) as FailureReply);
}
