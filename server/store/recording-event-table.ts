import type { Database } from './database.ts';
import type { RecordingEventRow } from './recording-row.ts';
import { type SqlRow, withoutNulls } from './row.ts';

/** Events of one answer; a recording has about ten, one with many tries and restarts some dozens. */
const EVENTS_READ_MAX = 1_000;

/** Steps in the lives of recordings. They are written together with what they tell of, and go with their recording. */
export class RecordingEventTable {
  readonly #append;
  readonly #list;

  constructor(database: Database) {
    this.#append = database.prepare<[SqlRow<RecordingEventRow> & { recordingId: string }]>(
      `INSERT INTO recording_event (recording_id, position, id, type, at_ms, status, detail)
       VALUES (@recordingId, (SELECT coalesce(max(position), 0) + 1 FROM recording_event WHERE recording_id = @recordingId),
         @id, @type, @atMs, @status, @detail)`,
    );
    this.#list = database.prepare<[string], SqlRow<RecordingEventRow>>(
      `SELECT id, type, at_ms AS atMs, status, detail FROM recording_event
       WHERE recording_id = ? ORDER BY position LIMIT ${EVENTS_READ_MAX}`,
    );
  }

  /** To be called within the transaction of the step itself. */
  append(recordingId: string, event: RecordingEventRow): void {
    this.#append.run({ ...event, recordingId, detail: event.detail ?? null });
  }

  /** Oldest first. */
  list(recordingId: string): RecordingEventRow[] {
    return this.#list.all(recordingId).map((row) => withoutNulls<RecordingEventRow>(row));
  }
}
