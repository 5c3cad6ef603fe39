import { type Acknowledgement, newId, type UiAnswer, type UiOutline, type UiTree } from '@runcloud/protocol';
import { checkUi, readUi, waitUi } from '../session/ui.ts';
import type { HttpReply } from '../socket/http.ts';
import type { AnswerTo, CallTo } from './call.ts';
import { originOf } from './origin.ts';
import { acknowledgementReply, type FailureReply, type JsonReply, json } from './reply.ts';

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

type CheckReply = JsonReply<200, UiAnswer> | FailureReply;

/** `POST .../ui/check`: whether something is so on the screen. */
export function postCheckUi({ owner, named, session, body }: CallTo<'checkUi'>): Promise<CheckReply> {
  const requestId = newId('req');
  named.requestId = requestId;
  return new Promise((resolve) => {
    const settled = (acknowledgement: Acknowledgement) => resolve(answerOf(acknowledgement));
    checkUi(session, requestId, body, { origin: originOf(session, owner), settled });
  });
}

/** `POST .../ui/wait`: answers when something is so on the screen. It ends with its connection. */
export function postWaitUi({ head, owner, named, session, body }: CallTo<'waitUi'>): Promise<CheckReply> {
  const requestId = newId('req');
  named.requestId = requestId;
  return new Promise((resolve) => {
    const settled = (acknowledgement: Acknowledgement) => resolve(answerOf(acknowledgement));
    waitUi(session, requestId, body, { origin: originOf(session, owner), settled });
    head.onGone(() => session.interactions.cancel(requestId));
  });
}

function answerOf(acknowledgement: Acknowledgement): CheckReply {
  const { ok, result } = acknowledgement;
  return ok && result
    ? json(200, result as unknown as UiAnswer)
    : (acknowledgementReply(acknowledgement) as FailureReply);
}

function replyOf(acknowledgement: Acknowledgement): UiReply {
  const { ok, result } = acknowledgement;
  if (!ok || !result) return acknowledgementReply(acknowledgement) as FailureReply;
  const told = result as unknown as UiTree | UiOutline;
  if ('nodes' in told) return json(200, told) as UiReply;
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };
  return { status: 200, headers, body: told.outline } satisfies HttpReply as UiReply;
}
