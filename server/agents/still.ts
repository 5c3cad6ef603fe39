import type { SessionHandle } from '../../client/sdk/session.ts';
import { frameOf, outlineOf } from './outline.ts';

/** Between two looks at a screen, and for how long one that goes on moving is looked at. */
const LOOK_MS = 100;
const STILL_MS_MAX = 2_000;

/** The outline of the screen once two looks at it are equal; after two seconds as it is. Absent of a device that tells of none. */
export async function stillOutline(session: SessionHandle, signal: AbortSignal): Promise<string | undefined> {
  const untilMs = Date.now() + STILL_MS_MAX;
  let last = await outlineOf(session, signal);
  while (last !== undefined && Date.now() < untilMs) {
    await pause(LOOK_MS, signal);
    const next = await outlineOf(session, signal);
    if (next === undefined || frameOf(next) === frameOf(last)) return next;
    last = next;
  }
  return last;
}

/** Rejects with the signal's reason once it is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}
