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

/** The log of a device. */
export interface DeviceLogs {
  /**
   * Calls `take` for each line from now on, and first for those before that are still known; called once at most. What it returns
   * settles when lines are told; it never rejects.
   */
  follow(take: (line: LogLine) => void): void | Promise<void>;
}
