import type { Account } from '@runcloud/protocol';
import type { Api } from '../page/api.ts';

/** Arguments of every page. */
export interface Context {
  readonly api: Api;
  readonly account: Account;
  /** Aborted when the user leaves the page. */
  readonly leaving: AbortSignal;
  /** Goes to another page. */
  go(path: string): void;
  /** Says something in passing, also to those who do not see it. */
  say(text: string): void;
  /** The account has changed. */
  changed(account: Account): void;
}

/** Makes a page; what it goes on doing ends with `leaving`. */
export type View = (context: Context) => HTMLElement;

/**
 * Runs `task` now and then every `intervalMs`, until `signal` fires. It pauses while the page is hidden. The
 * returned function runs it at once.
 */
export function repeat(task: () => Promise<unknown>, intervalMs: number, signal: AbortSignal): () => void {
  let timer = 0;
  let running = false;
  const run = async () => {
    clearTimeout(timer);
    if (signal.aborted || running) return;
    running = true;
    try {
      if (!document.hidden) await task();
    } finally {
      running = false;
      if (!signal.aborted) timer = window.setTimeout(run, intervalMs);
    }
  };
  const now = () => void run();
  document.addEventListener('visibilitychange', now, { signal });
  signal.addEventListener('abort', () => clearTimeout(timer));
  now();
  return now;
}
