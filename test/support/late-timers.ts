import { setTimeout as sleep } from 'node:timers/promises';

/** From one moment to another, in milliseconds since the Unix epoch. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A timer that is later than this, and than the library's whole milliseconds, waited for another program. */
const LATE_MS = 2.5;
const PROBE_MS = 3;

/** A clock that the processes of a host share, to the microsecond. */
export const sharedNowMs = (): number => performance.timeOrigin + performance.now();

/** Sleeps again and again; tells when it slept longer than it should have, since the machine was not idle then. */
export function watchTimers(): { end(): Promise<readonly Span[]> } {
  const late: Span[] = [];
  let running = true;
  const watch = async () => {
    while (running) {
      const fromMs = sharedNowMs();
      await sleep(PROBE_MS);
      const toMs = sharedNowMs();
      if (toMs - fromMs - PROBE_MS > LATE_MS) late.push({ fromMs, toMs });
    }
    return late;
  };
  const watched = watch();
  return {
    end() {
      running = false;
      return watched;
    },
  };
}

/** Whether the machine was idle all that time. */
export const isQuiet = ({ fromMs, toMs }: Span, late: readonly Span[]): boolean =>
  !late.some((each) => each.fromMs < toMs && each.toMs > fromMs);
