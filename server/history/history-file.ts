import { closeSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { HistoryEntry, HistoryOrigin } from '@runcloud/protocol';
import { LIMITS } from '@runcloud/protocol/terms';
import { type Database, Sqlite } from '../store/sqlite.ts';
import { toCue } from './cue.ts';
import { addNote, addStep, type Rest, toEntry, whenOf } from './entry.ts';
import { DISPATCHED, NOT_YET, type Piece, WIDTH } from './layout.ts';
import type { FindOrder, ReadOrder, Stretch } from './messages.ts';
import { unpackedIds } from './packed-ids.ts';
import { unpacked } from './packed-numbers.ts';
import { ENTRIES_OF_ROW_MAX, type PackedRow, packedRow, packedRows } from './packed-rows.ts';

/** Where the histories lie inside a data directory. */
export const historyPath = (dataDir: string): string => join(dataDir, 'history.db');

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS session (
    number  INTEGER PRIMARY KEY,
    id      TEXT NOT NULL UNIQUE,
    origins TEXT NOT NULL DEFAULT '[]'
  ) STRICT;
  CREATE TABLE IF NOT EXISTS piece (
    session  INTEGER NOT NULL,
    first    INTEGER NOT NULL,
    count    INTEGER NOT NULL,
    first_ms INTEGER NOT NULL,
    last_ms  INTEGER NOT NULL,
    ids      TEXT NOT NULL,
    numbers  BLOB NOT NULL,
    rest     TEXT NOT NULL,
    PRIMARY KEY (session, first)
  ) STRICT;
`;
/** Pieces that are forgotten, or copied, at once. */
const PIECES_AT_ONCE = 64;
/** The sessions whose callers are remembered. */
const REMEMBERED_MAX = 1_000;

const TAKEN_BACK = new Error('it is not to be written');

const PRAGMAS = {
  own: [
    'journal_mode = WAL',
    'synchronous = FULL',
    'fullfsync = ON',
    'journal_size_limit = 4194304',
    'cache_spill = OFF',
  ],
  // One that is not whole is made anew.
  'make copy': ['journal_mode = OFF', 'synchronous = OFF'],
  // Its schema is what the object store holds: nothing in it is run.
  'read copy': ['trusted_schema = OFF'],
} as const;

interface SessionRow {
  readonly number: number;
  readonly origins: HistoryOrigin[];
}

interface PieceRow {
  readonly first: number;
  readonly count: number;
  readonly ids: string;
  readonly numbers: Buffer;
  readonly rest: string;
}

interface WholePieceRow extends PieceRow {
  readonly firstMs: number;
  readonly lastMs: number;
}

/** What is known of entries beside their numbers, by their places in the row. */
type Rests = Record<string, Rest>;

/** A row in memory. */
interface Opened {
  readonly first: number;
  /** As `packedIds` gives them. */
  readonly ids: string;
  readonly numbers: Float64Array;
  readonly rest: Rests;
}

/**
 * The file of all histories: entries lie in rows of one session each, as many as came within a quarter of a second, so that
 * a thousand taps cost one row. An entry that goes on after its row was written is changed there.
 */
export class HistoryFile {
  readonly #database: Database;
  readonly #known = new Map<string, SessionRow>();
  readonly #statements;

  /**
   * Opens the file, or makes it, for its owner alone; a copy to read has to be there. Throws SQLite's and the system's errors.
   */
  constructor(path: string, use: keyof typeof PRAGMAS = 'own') {
    const readonly = use === 'read copy';
    if (!readonly) makeFile(path);
    this.#database = new Sqlite(path, { readonly, fileMustExist: true });
    try {
      for (const pragma of PRAGMAS[use]) this.#database.pragma(pragma);
      if (!readonly) this.#database.exec(SCHEMA);
      this.#statements = statementsOf(this.#database);
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** Writes the news of some sessions, all or nothing. They are on disk when it returns. Throws SQLite's errors. */
  write(pieces: readonly Piece[]): void {
    try {
      this.#database.transaction(() => {
        for (const piece of pieces) this.#writePiece(piece);
      })();
    } catch (error) {
      // Numbers of sessions that were rolled back must not be used.
      this.#known.clear();
      throw error;
    }
  }

  /**
   * What `look` finds when news are there that cannot be written now: they are written into memory, and taken back. Throws what
   * `look` throws, and SQLite's errors.
   */
  foresee<T>(pieces: readonly Piece[], look: () => T): T {
    const outcome: { found?: T } = {};
    try {
      this.#database.transaction(() => {
        for (const piece of pieces) this.#writePiece(piece);
        outcome.found = look();
        throw TAKEN_BACK;
      })();
    } catch (error) {
      if (error !== TAKEN_BACK) throw error;
    } finally {
      this.#known.clear();
    }
    return outcome.found as T;
  }

  read({ sessionId, newest, limit, bytesMax, liveFrom, cues, ...order }: ReadOrder): Stretch {
    const texts: string[] = [];
    let bytes = 0;
    const session = this.#session(sessionId);
    const after =
      session && newest !== undefined ? Math.max(order.after, this.#lastOf(session.number) - newest) : order.after;
    let last = after;
    for (const piece of session ? this.#pieces(session.number, after, cues) : []) {
      const ids = unpackedIds(piece.ids);
      for (let index = Math.max(0, after + 1 - piece.first); index * WIDTH < piece.numbers.length; index++) {
        const seq = piece.first + index;
        const at = index * WIDTH;
        if (cues && !within(whenOf(piece.numbers, at), cues)) continue;
        if (texts.length === limit || (bytes > bytesMax && texts.length > 0)) return stretchOf(texts, last, true);
        const entry = toEntry(
          seq,
          ids[index] ?? '',
          piece.numbers,
          at,
          piece.rest[index],
          session?.origins ?? [],
          seq >= liveFrom,
        );
        const text = cues ? toCue(entry, cues.fromMs) : `${JSON.stringify(entry)}\n`;
        bytes += text.length;
        texts.push(text);
        last = seq;
      }
    }
    return stretchOf(texts, last, false);
  }

  /** The `seq` of the newest entry. */
  #lastOf(session: number): number {
    const row = this.#statements.piece.get(session, Number.MAX_SAFE_INTEGER);
    return row ? row.first + sizeOf(opened(row)) - 1 : 0;
  }

  /** The newest entry of this request. */
  find({ sessionId, requestId, liveFrom }: FindOrder): HistoryEntry | undefined {
    const session = this.#session(sessionId);
    for (const row of session ? this.#statements.newestFirst.iterate(session.number) : []) {
      const index = unpackedIds(row.ids).lastIndexOf(requestId);
      if (index < 0) continue;
      const { numbers, rest, first } = opened(row);
      const seq = first + index;
      return toEntry(seq, requestId, numbers, index * WIDTH, rest[index], session?.origins ?? [], seq >= liveFrom);
    }
    return undefined;
  }

  /** Copies a session's history into an empty file, some pieces between two turns; nothing where there is none. */
  *copy(sessionId: string, to: HistoryFile): Generator<void> {
    const session = this.#session(sessionId);
    if (!session) return;
    const { begin, origins, put } = to.#statements;
    begin.run(sessionId);
    const number = to.#session(sessionId)?.number ?? 0;
    origins.run(JSON.stringify(session.origins), number);
    for (let after = 0; ; ) {
      const rows = this.#statements.wholePieces.all(session.number, after, PIECES_AT_ONCE);
      to.#database.transaction(() => {
        for (const { first, count, firstMs, lastMs, ids, numbers, rest } of rows)
          put.run(number, first, count, firstMs, lastMs, ids, numbers, rest);
      })();
      const last = rows.at(-1);
      if (!last) return;
      after = last.first;
      yield;
    }
  }

  /** Some sessions that have a history, by their numbers. */
  sessionsAfter(number: number, limit: number): readonly { readonly number: number; readonly id: string }[] {
    return this.#statements.sessions.all(number, limit);
  }

  /** Forgets some of a session's history; `false` when there is no more. */
  forget({ number, id }: { readonly number: number; readonly id: string }): boolean {
    if (this.#statements.forgetPieces.run(number, number, PIECES_AT_ONCE).changes === PIECES_AT_ONCE) return true;
    this.#statements.forgetSession.run(number);
    this.#known.delete(id);
    return false;
  }

  close(): void {
    this.#database.close();
  }

  #session(id: string): SessionRow | undefined {
    const known = this.#known.get(id);
    if (known) return known;
    const row = this.#statements.session.get(id);
    if (!row) return undefined;
    const session = { number: row.number, origins: JSON.parse(row.origins) as HistoryOrigin[] };
    if (this.#known.size >= REMEMBERED_MAX) this.#known.clear();
    this.#known.set(id, session);
    return session;
  }

  #writePiece(piece: Piece): void {
    const { sessionId, fullTexts, first, count, notes, steps, changes, origins, firstOrigin } = piece;
    if (!this.#session(sessionId)) this.#statements.begin.run(sessionId);
    const session = this.#session(sessionId);
    if (!session) throw new Error('a session that was begun is not there');
    if (origins.length > 0) {
      for (const [index, origin] of origins.entries()) session.origins[firstOrigin - 1 + index] = origin;
      this.#statements.origins.run(JSON.stringify(session.origins), session.number);
    }
    const { number } = session;
    const added = [...packedRows(piece)].map((row) => ({ row, rest: {} as Rests }));
    const touched = new Map<number, Opened>();
    /** The row of an entry that was written before; `undefined` where that was lost. */
    const writtenWith = (seq: number): Opened | undefined => {
      for (const one of touched.values()) if (seq >= one.first && seq < one.first + sizeOf(one)) return one;
      const row = this.#statements.piece.get(number, seq);
      if (!row || seq >= row.first + row.count) return undefined;
      const one = opened(row);
      touched.set(one.first, one);
      return one;
    };
    for (let at = 0; at < changes.length; at += 3) {
      const [seq = 0, column = 0, value = 0] = changes.slice(at, at + 3);
      const one = writtenWith(seq);
      if (!one) continue;
      const place = (seq - one.first) * WIDTH + column;
      // The first input of a live gesture tells when it was dispatched.
      if (column !== DISPATCHED || one.numbers[place] === NOT_YET) one.numbers[place] = value;
    }
    const restOf = (seq: number): Rest | undefined => {
      const fresh = seq >= first ? added[Math.floor((seq - first) / ENTRIES_OF_ROW_MAX)] : undefined;
      if (fresh) return restIn(fresh.rest, seq - fresh.row.first);
      const written = writtenWith(seq);
      return written && restIn(written.rest, seq - written.first);
    };
    for (const note of notes) {
      const rest = restOf(note.seq);
      if (rest) addNote(rest, note, fullTexts);
    }
    for (let at = 0; at < steps.length; ) {
      const [seq = 0, width = 0] = steps.subarray(at, at + 2);
      const end = at + 2 + width;
      const rest = restOf(seq);
      if (rest) addStep(rest, [...steps.subarray(at + 2, end)]);
      at = end;
    }
    for (const one of touched.values()) this.#put(number, packedRow(one.first, one.ids, one.numbers), one.rest);
    for (const { row, rest } of added) this.#put(number, row, rest);
    const oldest = first + count - LIMITS.historyEntries;
    if (count > 0 && oldest > 0) this.#statements.forgetOldest.run(number, oldest);
  }

  #put(session: number, { first, count, firstMs, lastMs, ids, numbers }: PackedRow, rest: Rests): void {
    this.#statements.put.run(session, first, count, firstMs, lastMs, ids, numbers, JSON.stringify(rest));
  }

  *#pieces(session: number, after: number, cues: ReadOrder['cues']): Generator<Opened> {
    const { pieces, piecesWithin } = this.#statements;
    // An entry may have left for the device as long after its acceptance as it could wait.
    const rows = cues
      ? piecesWithin.iterate({ session, after, fromMs: cues.fromMs - LIMITS.interactionTimeoutMs.max, toMs: cues.toMs })
      : pieces.iterate({ session, after });
    for (const row of rows) yield opened(row);
  }
}

const within = (ms: number, { fromMs, toMs }: NonNullable<ReadOrder['cues']>): boolean => ms >= fromMs && ms <= toMs;

const sizeOf = ({ numbers }: Opened): number => numbers.length / WIDTH;

function restIn(rests: Rests, index: number): Rest {
  const rest = rests[index] ?? {};
  rests[index] = rest;
  return rest;
}

function opened({ first, count, ids, numbers, rest }: PieceRow): Opened {
  return { first, ids, numbers: unpacked(numbers, count), rest: JSON.parse(rest) as Rests };
}

function stretchOf(texts: readonly string[], last: number, more: boolean): Stretch {
  // Bytes of their own, which can be handed over to the other thread.
  const bytes = new TextEncoder().encode(texts.join(''));
  return { bytes, count: texts.length, last, more };
}

/** Made before SQLite opens it, for its owner alone. */
function makeFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Moves a broken file aside, where an operator can look at it, in the place of an earlier one. */
export function moveAside(path: string): void {
  for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
  renameSync(path, `${path}.broken`);
}

const COLUMNS = 'first, count, ids, numbers, rest';
/** From the piece on that has the entry behind `after`, if it is there. */
const FROM = `session = @session
  AND first >= coalesce((SELECT max(first) FROM piece WHERE session = @session AND first <= @after + 1), 0)`;

function statementsOf(database: Database) {
  return {
    session: database.prepare<[string], { number: number; origins: string }>(
      'SELECT number, origins FROM session WHERE id = ?',
    ),
    begin: database.prepare<[string]>('INSERT INTO session (id) VALUES (?)'),
    origins: database.prepare<[string, number]>('UPDATE session SET origins = ? WHERE number = ?'),
    sessions: database.prepare<[number, number], { number: number; id: string }>(
      'SELECT number, id FROM session WHERE number > ? ORDER BY number LIMIT ?',
    ),
    put: database.prepare<[number, number, number, number, number, string, Buffer, string]>(
      `INSERT OR REPLACE INTO piece (session, first, count, first_ms, last_ms, ids, numbers, rest)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    piece: database.prepare<[number, number], PieceRow>(
      `SELECT ${COLUMNS} FROM piece WHERE session = ? AND first <= ? ORDER BY first DESC LIMIT 1`,
    ),
    pieces: database.prepare<[{ session: number; after: number }], PieceRow>(
      `SELECT ${COLUMNS} FROM piece WHERE ${FROM} ORDER BY first`,
    ),
    wholePieces: database.prepare<[number, number, number], WholePieceRow>(
      `SELECT ${COLUMNS}, first_ms AS firstMs, last_ms AS lastMs FROM piece WHERE session = ? AND first > ?
       ORDER BY first LIMIT ?`,
    ),
    piecesWithin: database.prepare<[{ session: number; after: number; fromMs: number; toMs: number }], PieceRow>(
      `SELECT ${COLUMNS} FROM piece WHERE ${FROM} AND last_ms >= @fromMs AND first_ms <= @toMs ORDER BY first`,
    ),
    newestFirst: database.prepare<[number], PieceRow>(
      `SELECT ${COLUMNS} FROM piece WHERE session = ? ORDER BY first DESC`,
    ),
    forgetOldest: database.prepare<[number, number]>('DELETE FROM piece WHERE session = ? AND first + count <= ?'),
    forgetPieces: database.prepare<[number, number, number]>(
      `DELETE FROM piece WHERE session = ?
         AND first IN (SELECT first FROM piece WHERE session = ? ORDER BY first LIMIT ?)`,
    ),
    forgetSession: database.prepare<[number]>('DELETE FROM session WHERE number = ?'),
  };
}
