import { type Acknowledgement, newId, type UiOutline, type UiTree } from '@runcloud/protocol';
import { readUi } from '../session/ui.ts';
import type { HttpReply } from '../socket/http.ts';
import type { AnswerTo, CallTo } from './call.ts';
import { originOf } from './origin.ts';
import { acknowledgementReply, type FailureReply, json } from './reply.ts';

type UiReply = AnswerTo<'ui'> | FailureReply;

/** `GET .../ui`: what is on the screen, as a tree in JSON or as lines of text. */
export function ui({ head, owner, named, session, query }: CallTo<'ui'>): Promise<UiReply> {
  const requestId = newId('req');
  named.requestId = requestId;
  const accepts = head.header('accept') ?? '';
  const format = query.format ?? (/^text\/plain\b/.test(accepts.trim()) ? 'outline' : 'json');
  return new Promise((resolve) => {
    const settled = (acknowledgement: Acknowledgement) => resolve(replyOf(acknowledgement));
    readUi(session, { requestId, format }, { origin: originOf(session, owner), settled });
  });
}

function replyOf(acknowledgement: Acknowledgement): UiReply {
  const { ok, result } = acknowledgement;
  if (!ok || !result) return acknowledgementReply(acknowledgement) as FailureReply;
  const told = result as unknown as UiTree | UiOutline;
  if ('nodes' in told) return json(200, told) as UiReply;
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };
  return { status: 200, headers, body: told.outline } satisfies HttpReply as UiReply;
}
