/** A row as SQLite gives it: columns that hold nothing are `null` there and absent in `T`. */
export type SqlRow<T> = { [K in keyof Required<T>]: Required<T>[K] | null };

/** The row without its empty columns; optional fields of our records are absent, never `null`. */
export function withoutNulls<T extends object>(row: SqlRow<T>): T {
  const present: Partial<Record<string, unknown>> = {};
  for (const [column, value] of Object.entries(row)) {
    if (value !== null) present[column] = value;
  }
  return present as T;
}
