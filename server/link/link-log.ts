import type { LogIds } from '../observe/log-ids.ts';

/**
 * The service's logger, as far as links use it. Other threads have none: the words for the log cross with the fault that
 * they explain, and the gateway, which knows the ids, writes the line.
 */
export interface LinkLog {
  error(fields: LogIds & Readonly<Record<string, unknown>>, message: string): void;
}

/** Writes nothing. */
export const NO_LOG: LinkLog = { error: () => undefined };

const CAUSE_CHARACTERS_MAX = 4_000;

/** The words of an error, for the log alone: they may name files. */
export function causeOf(error: unknown): string {
  const words = error instanceof Error ? (error.stack ?? String(error)) : String(error);
  return words.slice(0, CAUSE_CHARACTERS_MAX);
}
