import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HistoryEntry } from '@runcloud/protocol';
import type { HistoryFile } from '../../server/history/history-file.ts';
import type { ReadOrder } from '../../server/history/messages.ts';
import { type Postbox, SessionHistory } from '../../server/history/session-history.ts';
import type { Request } from '../../server/interaction/request.ts';

/** A postbox of a test, which posts nothing by itself. */
export class TestBox implements Postbox {
  waitingBytes = 0;
  readonly waitingBytesMax: number;
  readonly added: SessionHistory[] = [];
  lostCount = 0;

  constructor(waitingBytesMax = Number.POSITIVE_INFINITY) {
    this.waitingBytesMax = waitingBytesMax;
  }

  add(session: SessionHistory): void {
    this.added.push(session);
  }

  lost(count: number): void {
    this.lostCount += count;
  }
}

export const WALL_MS = Date.UTC(2026, 4, 6, 7, 8, 9);

/** A request as far as the history looks at it. */
export const request = (requestId: string, body: object, wallMs = WALL_MS): Request =>
  ({
    requestId,
    action: (body as { action: string }).action,
    accepted: { wallMs, monotonicMs: 0 },
    spec: { body },
  }) as unknown as Request;

export const tap = (requestId: string, x = 0.5, wallMs?: number): Request =>
  request(requestId, { action: 'tap', x, y: 0.5, requestId, timeoutMs: 15_000 }, wallMs);

/** The history of a session with one caller. */
export function sessionHistory(box: Postbox = new TestBox(), fullTexts = false, id = 'ses_1') {
  const session = new SessionHistory(id, fullTexts, box);
  return { session, by: session.origin({ kind: 'key', id: 'key_1', transport: 'socket' }) };
}

/** Takes down `count` taps that have completed, in pieces of `each`. */
export function writeTaps(file: HistoryFile, count: number, each: number, id = 'ses_1'): void {
  const { session, by } = sessionHistory(new TestBox(), false, id);
  for (let index = 1; index <= count; index++) {
    const entry = session.accepted(tap(`t${index}`, index / count, WALL_MS + index), by);
    session.dispatched(entry, index, 1);
    session.ended(entry, { status: 'completed' }, 2);
    if (index % each === 0) file.write([session.take()]);
  }
  file.write([session.take()]);
}

/** All entries that a read gives. */
export function entriesOf(file: HistoryFile, order: Partial<ReadOrder> = {}): HistoryEntry[] {
  const whole = { sessionId: 'ses_1', after: 0, limit: 1_000_000, bytesMax: 1e9, liveFrom: 1 };
  const text = new TextDecoder().decode(file.read({ ...whole, ...order }).bytes);
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as HistoryEntry);
}

/** A folder for the file of a test, which goes with it. */
export function historyFolder(t: { teardown(task: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'runcloud-history-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
