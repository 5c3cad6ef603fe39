import type { LogIds } from './log-ids.ts';

type Write = (fields: LogIds & Readonly<Record<string, unknown>>, message: string) => void;

export type LineLevel = 'debug' | 'info' | 'warn';

/** The part of the service's logger that writes what happens in its ordinary course. */
export interface LineLog extends Readonly<Record<LineLevel, Write>> {
  isLevelEnabled(level: LineLevel): boolean;
}
