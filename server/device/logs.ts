import type { LogLevel } from '@runcloud/protocol';

/** What a device's log says at once, before it has its place among the others. */
export interface LogLine {
  /** By the device's clock, in milliseconds since 1970. */
  readonly wallMs: number;
  readonly level: LogLevel;
  readonly process: string;
  readonly pid?: number;
  /** Of any length, and anything that the device wrote. */
  readonly text: string;
}

/** The crash of an app. */
export interface CrashLine extends Omit<LogLine, 'level'> {
  /** As the device wrote it. */
  readonly report: string;
  /** Whether the report was longer. */
  readonly isLong?: boolean;
}

/** What is told of a crash at once; the rest is in its line. */
export interface Crash {
  /** The app, as the line has it. */
  readonly process: string;
  readonly seq: number;
}

/** The log of a device. */
export interface DeviceLogs {
  /**
   * Calls `take` for each line from now on, and first for those before that are still known; called once at most. What it returns
   * settles when lines are told; it never rejects.
   */
  follow(take: (line: LogLine) => void): void | Promise<void>;
  /** Calls `take` for each crash from the begin of the session on; called once at most. Absent where the device does not tell. */
  onCrash?(take: (crash: CrashLine) => void): void;
}
