import { readLogs } from '../session/logs.ts';
import type { AnswerTo, CallTo } from './call.ts';
import { JSON_HEADERS } from './reply.ts';

/** `GET .../logs`: a page of the device's log. It is no activity of the session. */
export async function logs({ session, query }: CallTo<'logs'>): Promise<AnswerTo<'logs'>> {
  return { status: 200, headers: JSON_HEADERS, body: await readLogs(session, query) };
}
