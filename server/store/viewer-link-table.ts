import type { Role } from '@runcloud/protocol';
import type { Page, Span } from '../flow/page.ts';
import type { Database } from './database.ts';
import { NUMBER, type Placed, SPAN, type SpanParameters, spanParameters, toPage } from './page-rows.ts';
import { type SqlRow, withoutNulls } from './row.ts';

/** A link as it is kept: never its token. */
export interface ViewerLinkRow {
  readonly id: string;
  readonly sessionId: string;
  readonly role: Role;
  readonly embedOrigin?: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly revokedAtMs?: number;
}

/**
 * Ended links that stay known for each session, so that revoking one again gives the same answer. What is forgotten
 * opens nothing either: a link is good only while its row says so.
 */
export const ENDED_LINKS_KEPT = 1_000;

const COLUMNS = `id, session_id AS sessionId, role, embed_origin AS embedOrigin, created_at_ms AS createdAtMs,
  expires_at_ms AS expiresAtMs, revoked_at_ms AS revokedAtMs`;

/** Links to sessions' viewers. Every look-up carries the session, which the caller has found to be the account's. */
export class ViewerLinkTable {
  readonly #insert;
  readonly #forgetEnded;
  readonly #live;
  readonly #revoke;
  readonly #revokeAll;
  readonly #isKnown;
  readonly #isUnrevoked;

  constructor(database: Database) {
    const insert = database.prepare<[SqlRow<ViewerLinkRow>]>(
      `INSERT INTO viewer_link (id, session_id, role, embed_origin, created_at_ms, expires_at_ms, revoked_at_ms)
       VALUES (@id, @sessionId, @role, @embedOrigin, @createdAtMs, @expiresAtMs, @revokedAtMs)`,
    );
    this.#forgetEnded = database.prepare<[{ sessionId: string; atMs: number }]>(
      `DELETE FROM viewer_link WHERE id IN (
         SELECT id FROM viewer_link
         WHERE session_id = @sessionId AND (revoked_at_ms IS NOT NULL OR expires_at_ms <= @atMs)
         ORDER BY created_at_ms DESC, rowid DESC LIMIT -1 OFFSET ${ENDED_LINKS_KEPT})`,
    );
    this.#insert = database.transaction((row: ViewerLinkRow) => {
      insert.run({ ...row, embedOrigin: row.embedOrigin ?? null, revokedAtMs: row.revokedAtMs ?? null });
      this.#forgetEnded.run({ sessionId: row.sessionId, atMs: row.createdAtMs });
    });
    this.#live = database.prepare<
      [SpanParameters & { sessionId: string; atMs: number }],
      SqlRow<ViewerLinkRow> & Placed
    >(
      `SELECT ${COLUMNS}, ${NUMBER('viewer_link')} FROM viewer_link
       WHERE session_id = @sessionId AND revoked_at_ms IS NULL AND expires_at_ms > @atMs AND ${SPAN('viewer_link')}`,
    );
    this.#revoke = database.prepare<[{ sessionId: string; id: string; atMs: number }]>(
      `UPDATE viewer_link SET revoked_at_ms = @atMs
       WHERE session_id = @sessionId AND id = @id AND revoked_at_ms IS NULL`,
    );
    this.#revokeAll = database.prepare<[{ accountId: string; atMs: number }]>(
      `UPDATE viewer_link SET revoked_at_ms = @atMs
       WHERE revoked_at_ms IS NULL AND expires_at_ms > @atMs
         AND session_id IN (SELECT id FROM session WHERE account_id = @accountId)`,
    );
    this.#isKnown = database
      .prepare<[string, string], number>('SELECT 1 FROM viewer_link WHERE session_id = ? AND id = ?')
      .pluck();
    this.#isUnrevoked = database
      .prepare<[string, string], number>(
        'SELECT 1 FROM viewer_link WHERE session_id = ? AND id = ? AND revoked_at_ms IS NULL',
      )
      .pluck();
  }

  /** Keeps a link, and forgets the session's oldest ended ones past `ENDED_LINKS_KEPT`. */
  insert(row: ViewerLinkRow): void {
    this.#insert.immediate(row);
  }

  /** The session's links that are neither revoked nor expired at `atMs`, newest first. */
  live(sessionId: string, atMs: number, span: Span): Page<ViewerLinkRow> {
    const rows = this.#live.all({ sessionId, atMs, ...spanParameters(span) });
    return toPage(rows, span, (row) => withoutNulls<ViewerLinkRow>(row as SqlRow<ViewerLinkRow>));
  }

  /** `unknown` if the session has no such link. A second revocation does not change the time of the first. */
  revoke(sessionId: string, id: string, atMs: number): 'revoked' | 'was revoked' | 'unknown' {
    if (this.#revoke.run({ sessionId, id, atMs }).changes === 1) return 'revoked';
    return this.#isKnown.get(sessionId, id) === undefined ? 'unknown' : 'was revoked';
  }

  /** One look-up by primary key; says nothing of the link's expiry, which its token carries. */
  isUnrevoked(sessionId: string, id: string): boolean {
    return this.#isUnrevoked.get(sessionId, id) !== undefined;
  }

  /** Revokes each live link of the account's sessions; how many that were. */
  revokeAll(accountId: string, atMs: number): number {
    return this.#revokeAll.run({ accountId, atMs }).changes;
  }
}
