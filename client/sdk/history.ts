import { LIMITS } from '../../protocol/limits.ts';
import { routeTo } from '../../protocol/routes/address.ts';
import type { CallOptions } from './actions.ts';
import type { Http } from './http.ts';
import { general } from './operations.ts';
import type { HistoryEntry, Platform } from './types.ts';

export interface HistoryOptions extends CallOptions {
  /** Only entries after the one with this `seq`. */
  readonly after?: number | undefined;
  /** Maximum number of entries; default: all. */
  readonly limit?: number | undefined;
  /**
   * Go on with what is done later, until the session ends. Each entry then comes when it has its outcome.
   * Default: end with what there is now.
   */
  readonly follow?: boolean | undefined;
}

/** How often a follower looks for more, in milliseconds. */
const LOOK_MS = 500;

/** A whole number of at least `min`, from a caller that may use plain JavaScript. */
export function checkedCount(name: string, value: unknown, min: number): number {
  if (typeof value !== 'number') throw new TypeError(`"${name}" must be a number.`);
  if (Number.isSafeInteger(value) && value >= min) return value;
  throw new RangeError(`"${name}" must be a whole number from ${min}.`);
}

/** Checks the options before anything is sent. Throws `TypeError` or `RangeError`. */
export function checkedHistory({ after = 0, limit }: HistoryOptions): { after: number; limit: number } {
  return {
    after: checkedCount('after', after, 0),
    limit: limit === undefined ? Number.POSITIVE_INFINITY : checkedCount('limit', limit, 1),
  };
}

/**
 * Yields the entries of a session's history; pages are read as you iterate.
 * @param isOver whether nothing more will be done in the session
 */
export async function* entriesOf(
  http: Http,
  about: { readonly sessionId: string; readonly platform: Platform },
  { follow = false, signal, ...options }: HistoryOptions,
  isOver: () => Promise<boolean>,
): AsyncGenerator<HistoryEntry, void> {
  let { after, limit: left } = checkedHistory(options);
  while (left > 0) {
    // Asked before the entries are: what is done until the end is among them.
    const isLast = !follow || (await isOver());
    const { method, path } = routeTo('GET /service/{platform}/{sessionId}/history', about);
    const query = `?after=${after}&limit=${Math.min(left, LIMITS.listed.max)}`;
    const call = { operation: general('history'), method, path: path + query, signal, about };
    const { entries, next } = await http.json<{ readonly entries: readonly HistoryEntry[]; readonly next?: number }>(
      call,
    );
    if (!Array.isArray(entries)) throw http.invalid(call, 'there are no entries in it', { status: 200 });
    const before = after;
    for (const entry of entries) {
      if (!isLast && entry.status === 'pending') break;
      after = entry.seq;
      left--;
      yield entry;
    }
    if (next !== undefined && after > before) continue;
    if (isLast) return;
    await pause(signal);
  }
}

export function pause(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, LOOK_MS);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
