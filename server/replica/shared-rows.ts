import type { RowChange, RowContent, TableShape } from '../store/row-changes.ts';

/** The rows that hold at a revision. */
export interface RowsSince {
  readonly revision: number;
  readonly rows: readonly RowContent[];
  /** The rows are all that there are; otherwise those that changed. */
  readonly isWhole: boolean;
}

/**
 * Rows that several processes have in common. Each write that is kept takes the next revision, in the order in which they
 * become visible. Any method rejects when the database cannot be reached.
 */
export interface SharedRows {
  /** Prepares the database for these tables, and keeps others from beginning until `begun`. */
  begin(shapes: readonly TableShape[]): Promise<void>;
  begun(): Promise<void>;
  /** The name of this very database, given at its making. */
  name(): Promise<string>;
  /** What was written after `revision`; 0 gives all rows. */
  since(revision: number): Promise<RowsSince>;
  /**
   * Keeps all of the changes or, when a row does not hold what it was changed from or was written after `base`, none; gives their revision.
   * Rejects with `RowsChanged`. What this very write has kept before is kept once. A row that stays as it is counts as written: who
   * changes it without having seen that is too late.
   * @param base the revision that the changes are based on
   * @param id a UUID of this write, the same each time it is tried
   */
  write(changes: readonly RowChange[], base: number, id: string): Promise<number>;
  close(): Promise<void>;
}
