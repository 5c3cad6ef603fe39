import { LIMITS } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import { type Bearer, Quota } from '../flow/quota.ts';
import type { Screenshot, Thumbnail } from '../link/messages.ts';
import type { RemoteDevice } from '../link/remote-device.ts';

const TERMS = {
  things: 'waiting screenshots',
  total: LIMITS.pendingScreenshots,
  forKeys: LIMITS.pendingScreenshotsForKeys,
  perLink: LIMITS.pendingScreenshotsPerLink,
  kept: { sessionLink: LIMITS.pendingScreenshotsKeptForSessionLink, viewerLink: 0 },
  rate: { perSecond: LIMITS.screenshotsPerSecond, things: 'screenshots' },
  retryAfterSeconds: 1,
} as const;

/**
 * All links of a session together cause one capture in this time, which the callers in between share: capturing and encoding takes the
 * device's thread and processors from input.
 */
const LINK_GAP_MS = 250;
/** Long edge of a small one: what language models look at. */
const SMALL_PIXELS = 768;

/** Screenshots of one session, shared by concurrent callers. */
export class SharedScreenshots {
  readonly #ofKeys: Ways;
  readonly #ofLinks: Ways;
  readonly #quota: Quota;

  constructor(device: RemoteDevice, clock: Clock) {
    this.#quota = new Quota(TERMS, clock);
    const captures = (gapMs: number): Ways => ({
      png: {
        newest: new InTurn(() => device.screenshot(), gapMs, clock),
        settled: new InTurn(() => device.screenshot(true), gapMs, clock),
      },
      jpeg: {
        newest: new InTurn(() => device.thumbnail(SMALL_PIXELS), gapMs, clock),
        settled: new InTurn(() => device.thumbnail(SMALL_PIXELS, true), gapMs, clock),
      },
    });
    this.#ofKeys = captures(0);
    this.#ofLinks = captures(LINK_GAP_MS);
  }

  /**
   * Rejects with a `DeviceFault`, or `rate_limited` if too many callers wait, or too many of one link. The bytes are shared and must
   * not be changed.
   *
   * @param settled whether to wait until the picture stands still, at most 2 seconds
   */
  take(bearer: Bearer, settled: boolean): Promise<Screenshot> {
    return this.#take(bearer, (ways) => (settled ? ways.png.settled : ways.png.newest));
  }

  /** The same as a JPEG, smaller. */
  takeSmall(bearer: Bearer, settled: boolean): Promise<Thumbnail> {
    return this.#take(bearer, (ways) => (settled ? ways.jpeg.settled : ways.jpeg.newest));
  }

  async #take<Still>(bearer: Bearer, way: (ways: Ways) => InTurn<Still>): Promise<Still> {
    this.#quota.take(bearer);
    try {
      return await way(bearer.kind === 'key' ? this.#ofKeys : this.#ofLinks).take();
    } finally {
      this.#quota.giveBack(bearer);
    }
  }
}

interface BothWays<Still> {
  readonly newest: InTurn<Still>;
  readonly settled: InTurn<Still>;
}

interface Ways {
  readonly png: BothWays<Screenshot>;
  readonly jpeg: BothWays<Thumbnail>;
}

/**
 * Takes one screenshot at a time. Calls that come meanwhile share the next one, because the running one may not show inputs
 * that were already acknowledged to them.
 */
class InTurn<Still> {
  readonly #take: () => Promise<Still>;
  readonly #gapMs: number;
  readonly #clock: Clock;
  #running: Promise<unknown> | undefined;
  #next: Promise<Still> | undefined;

  /** @param gapMs minimum time from the start of one to that of the next */
  constructor(take: () => Promise<Still>, gapMs: number, clock: Clock) {
    this.#take = take;
    this.#gapMs = gapMs;
    this.#clock = clock;
  }

  take(): Promise<Still> {
    return this.#running === undefined ? this.#start() : this.#shareNext(this.#running);
  }

  #start(): Promise<Still> {
    const gap =
      this.#gapMs === 0 ? undefined : new Promise<void>((resolve) => this.#clock.schedule(this.#gapMs, resolve));
    const taken = this.#take();
    const running: Promise<unknown> = taken
      .catch(() => undefined)
      .then(() => gap)
      .finally(() => {
        if (this.#running === running) this.#running = undefined;
      });
    this.#running = running;
    return taken;
  }

  #shareNext(running: Promise<unknown>): Promise<Still> {
    this.#next ??= running.then(() => {
      this.#next = undefined;
      return this.#start();
    });
    return this.#next;
  }
}
