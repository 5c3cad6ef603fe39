export type Fields = Readonly<Record<string, unknown>>;

/** Whether a value that a tool told in JSON is an object, of whose fields nothing is known. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
