import type { Clock } from '../flow/clock.ts';
import type { Bearer } from '../flow/quota.ts';
import type { PictureSink } from '../link/host-link.ts';
import type { StreamPicture } from '../link/messages.ts';
import type { DeviceStream } from '../link/remote-device.ts';
import { reached } from '../link/stages.ts';
import type { ScreenFigures } from '../observe/screen-metrics.ts';
import type { SendScheduler } from './send-scheduler.ts';
import { SharedPacket } from './shared-packet.ts';
import { SharedTimer } from './shared-timer.ts';
import { type PacketSink, StreamViewer, type WatchedStream } from './stream-viewer.ts';
import { canBeBound } from './viewer-slot.ts';

export interface SharedStreamOptions {
  readonly clock: Clock;
  readonly scheduler: SendScheduler;
  /** The metrics of its encoding. */
  readonly figures: ScreenFigures;
  /** Starts the device's stream. */
  readonly watch: (listener: PictureSink) => DeviceStream;
  /** Called when the last viewer has left, or the stream has ended. */
  readonly onOver: () => void;
}

/** A key picture costs every viewer of the stream a hundred deltas, so viewers that fall behind share one. */
const KEY_GAP_MS = { newcomer: 100, recovery: 500 };
/** A key picture that does not come within this time is requested again. */
const KEY_PATIENCE_MS = 1_000;

/** A smaller change of the rate that the viewers can take is not told to the device. */
const RATE_STEP = 1.1;

/** One stream of a device and its viewers. The first viewer starts it, the last one stops it. */
export class SharedStream implements WatchedStream {
  readonly #options: SharedStreamOptions;
  readonly #device: DeviceStream;
  readonly #viewers = new Map<StreamViewer, Bearer>();
  readonly #timer: SharedTimer<StreamViewer>;
  #currentKey: SharedPacket | undefined;
  #encodings = 0;
  #keyAskedAtMs: number | undefined;
  #keyCameAtMs = Number.NEGATIVE_INFINITY;
  /** The bound of its rate that the device was told. */
  #bound: number | undefined;
  #over = false;

  constructor(options: SharedStreamOptions) {
    this.#options = options;
    const { clock, scheduler } = options;
    this.#timer = new SharedTimer(clock, (viewers) => {
      for (const viewer of viewers) scheduler.add(viewer);
      scheduler.run();
    });
    // A stream begins with a key picture.
    this.#keyAskedAtMs = clock.monotonicMs();
    this.#device = options.watch({
      picture: (picture) => this.#picture(picture),
      ended: (reason) => this.#ended(reason),
    });
  }

  get currentKey(): SharedPacket | undefined {
    return this.#currentKey;
  }

  /** The bearers of its viewers; one that has several comes several times. */
  get bearers(): Iterable<Bearer> {
    return this.#viewers.values();
  }

  /** @param beforeSeq the `seq` of the last packet that the viewer was sent of this stream before */
  join(streamId: number, sink: PacketSink, bearer: Bearer, beforeSeq = 0): StreamViewer {
    const { clock, figures } = this.#options;
    const viewer = new StreamViewer(this, streamId, sink, { clock, figures }, beforeSeq);
    this.#viewers.set(viewer, bearer);
    if (this.#currentKey) viewer.offer(this.#currentKey);
    this.hurry(viewer);
    // A newcomer does not wait until the links of others have carried their last picture.
    if (this.#bound !== undefined) this.#boundRate();
    return viewer;
  }

  leave(viewer: StreamViewer): void {
    this.#viewers.delete(viewer);
    this.#timer.delete(viewer);
    if (this.#viewers.size > 0 || this.#over) return;
    this.#finish();
    this.#device.stop();
  }

  /** Ends the stream for all viewers. */
  end(reason: string): void {
    if (this.#over) return;
    this.#ended(reason);
    this.#device.stop();
  }

  hurry(viewer: StreamViewer): void {
    this.#options.scheduler.add(viewer);
    this.#options.scheduler.run();
  }

  wakeLater(viewer: StreamViewer, delayMs: number): void {
    this.#timer.add(viewer, delayMs);
  }

  requestKey(viewer: StreamViewer, first: boolean): void {
    const nowMs = this.#options.clock.monotonicMs();
    if (this.#keyAskedAtMs !== undefined && nowMs - this.#keyAskedAtMs < KEY_PATIENCE_MS) return;
    const gapMs = this.#keyCameAtMs + (first ? KEY_GAP_MS.newcomer : KEY_GAP_MS.recovery) - nowMs;
    if (gapMs > 0) return this.wakeLater(viewer, gapMs);
    this.#keyAskedAtMs = nowMs;
    this.#device.requestKey();
  }

  #picture(picture: StreamPicture): void {
    if (this.#over) return;
    reached('handedOver', picture.inputSeq);
    const packet = new SharedPacket(picture, this.#options.clock);
    this.#options.figures.encodings += picture.encodings - this.#encodings;
    this.#encodings = picture.encodings;
    this.#currentKey = picture.key ? packet : undefined;
    if (picture.key) {
      this.#keyAskedAtMs = undefined;
      this.#keyCameAtMs = this.#options.clock.monotonicMs();
    }
    // Before it is sent: what the links are still busy with is a queue.
    if (canBeBound(picture)) this.#boundRate();
    const { scheduler } = this.#options;
    for (const viewer of this.#viewers.keys()) {
      viewer.offer(packet);
      scheduler.add(viewer);
    }
    scheduler.run();
  }

  /**
   * Where no viewer's link carries the stream, it has as many pictures as the fastest of them does: otherwise each would go from one key
   * picture to the next.
   */
  #boundRate(): void {
    const bound = this.#fastest();
    const before = this.#bound;
    if (bound === before) return;
    if (bound !== undefined && before !== undefined) {
      const change = bound / before;
      if (change < RATE_STEP && change > 1 / RATE_STEP) return;
    }
    this.#bound = bound;
    this.#device.boundRate(bound);
  }

  /** The rate that the fastest viewer can take; `undefined` if there is one that keeps up. */
  #fastest(): number | undefined {
    const nowMs = this.#options.clock.monotonicMs();
    let fastest: number | undefined;
    for (const viewer of this.#viewers.keys()) {
      const rate = viewer.rateBound(nowMs);
      if (rate === undefined) return undefined;
      fastest = Math.max(fastest ?? 0, rate);
    }
    return fastest;
  }

  #ended(reason: string): void {
    if (this.#over) return;
    this.#finish();
    for (const viewer of [...this.#viewers.keys()]) viewer.ended(reason);
    this.#viewers.clear();
  }

  #finish(): void {
    this.#over = true;
    this.#currentKey = undefined;
    this.#timer.close();
    this.#options.onOver();
  }
}
