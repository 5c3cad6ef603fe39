import type { ClientMessage } from '@runcloud/protocol';
import { LIMITS } from '@runcloud/protocol/terms';
import type { History } from '../history/history.ts';
import type { SessionFacts } from '../session/live-session.ts';

type HistoryMessage = Extract<ClientMessage, { type: 'history.list' }>;

/** Reads a page of a session's history. It is decoded on the gateway's thread, so that it is shorter than one over REST. */
export async function listHistory(
  { id: sessionId, accountId }: SessionFacts,
  { after = 0, newest, limit = LIMITS.listed.default }: HistoryMessage,
  history: Pick<History, 'read'>,
): Promise<Record<string, unknown>> {
  const bytesMax = LIMITS.historyMessageBytes;
  const { bytes, last, more } = await history.read(accountId, { sessionId, after, newest, limit, bytesMax });
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString().trimEnd();
  return { entries: JSON.parse(`[${lines.replaceAll('\n', ',')}]`), ...(more ? { next: last } : {}) };
}
