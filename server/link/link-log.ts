import type { LogIds } from '../observe/log-ids.ts';

/**
 * The part of the service's logger that links use. Other threads have no logger: details cross the link with their fault, and the
 * gateway, which knows the ids, writes the line.
 */
export interface LinkLog {
  error(fields: LogIds & Readonly<Record<string, unknown>>, message: string): void;
}

/** A logger that discards everything. */
export const NO_LOG: LinkLog = { error: () => undefined };

const CAUSE_CHARACTERS_MAX = 4_000;

/** The details of an error, only for the log, since they may contain paths. */
export function causeOf(error: unknown): string {
  const words = error instanceof Error ? (error.stack ?? String(error)) : String(error);
  return words.slice(0, CAUSE_CHARACTERS_MAX);
}
