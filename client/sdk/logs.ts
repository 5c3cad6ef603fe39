import { LIMITS } from '../../protocol/limits.ts';
import { LOG_LEVELS, type LogLevel } from '../../protocol/log-levels.ts';
import { routeTo } from '../../protocol/routes/address.ts';
import type { CallOptions } from './actions.ts';
import { RunCloudError } from './error.ts';
import { checkedHistory, pause } from './history.ts';
import type { Http } from './http.ts';
import { general } from './operations.ts';
import type { Platform } from './types.ts';

export interface LogOptions extends CallOptions {
  /** Only lines after the one with this `seq`. */
  readonly after?: number | undefined;
  /** Maximum number of lines; default: all. */
  readonly limit?: number | undefined;
  /** Only lines that matter at least as much; `verbose` is the least. */
  readonly level?: LogLevel | undefined;
  /** Only lines of what has this very name, of 1 to 256 characters. */
  readonly process?: string | undefined;
  /** Go on with what comes later, until the session ends. Default: end with what there is now. */
  readonly follow?: boolean | undefined;
}

/** A line of the log of a device. */
export interface LogEntry {
  /** From 1, in the order of the log, without holes. */
  readonly seq: number;
  /** By the device's clock; ISO 8601, UTC, with milliseconds. */
  readonly at: string;
  readonly level: LogLevel;
  /** What wrote it. */
  readonly process: string;
  /** Where the device tells it. */
  readonly pid?: number;
  /** As the device wrote it, control characters included; 4,096 characters at most. */
  readonly text: string;
  /** Present if it is the crash of an app: the report that the device wrote, of 32,768 characters at most. */
  readonly crashReport?: string;
  /** Present if it, or the report, says more than that. */
  readonly truncated?: true;
  /** How many lines before it are not kept any more. */
  readonly lostBefore?: number;
}

interface LogPage {
  readonly entries: readonly LogEntry[];
  readonly next: number;
  readonly more: boolean;
  readonly lost?: number;
}

/** Checks the options before anything is sent. Throws `TypeError` or `RangeError`. */
export function checkedLogs({ after, limit, level, process }: Omit<LogOptions, 'follow' | 'signal'>) {
  if (level !== undefined && !LOG_LEVELS.includes(level)) {
    throw new RangeError(`"level" must be one of: ${LOG_LEVELS.join(', ')}.`);
  }
  if (process !== undefined) {
    if (typeof process !== 'string') throw new TypeError('"process" must be a text.');
    if (process.length < 1 || process.length > 256) throw new RangeError('"process" must have 1 to 256 characters.');
  }
  return checkedHistory({ after, limit });
}

/** Yields the lines of a device's log; pages are read as you iterate. Lines that were lost are told with the next one. */
export async function* linesOf(
  http: Http,
  about: { readonly sessionId: string; readonly platform: Platform },
  { follow = false, signal, ...options }: LogOptions,
): AsyncGenerator<LogEntry, void> {
  let { after, limit: left } = checkedLogs(options);
  const { level, process } = options;
  let lostBefore = 0;
  while (left > 0) {
    const { method, path } = routeTo('GET /service/{platform}/{sessionId}/logs', about);
    const query = new URLSearchParams({ after: `${after}`, limit: `${Math.min(left, LIMITS.logListed.max)}` });
    if (level !== undefined) query.set('level', level);
    if (process !== undefined) query.set('process', process);
    const call = { operation: general('logs'), method, path: `${path}?${query}`, signal, about };
    const page = await http.json<LogPage>(call).catch((error: unknown) => {
      if (follow && isOver(error)) return undefined;
      throw error;
    });
    if (!page) return;
    const { entries, next, more, lost = 0 } = page;
    if (!Array.isArray(entries) || !Number.isSafeInteger(next) || next < after) {
      throw http.invalid(call, 'there are no lines in it', { status: 200 });
    }
    lostBefore += lost;
    for (const entry of entries) {
      left--;
      yield lostBefore > 0 ? { ...entry, lostBefore } : entry;
      lostBefore = 0;
    }
    // A service that says "more" without going on would be asked for ever.
    if (more && next > after) {
      after = next;
      continue;
    }
    after = next;
    if (!follow) return;
    await pause(signal);
  }
}

const isOver = (error: unknown): boolean =>
  error instanceof RunCloudError && /^(?:active_session_not_found|simulator_session_ended)$/.test(error.code);
