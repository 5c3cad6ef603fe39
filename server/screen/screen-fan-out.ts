import type { ScreenEncoding } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import type { Bearer } from '../flow/quota.ts';
import type { RemoteDevice } from '../link/remote-device.ts';
import type { ScreenFigures } from '../observe/screen-metrics.ts';
import { profileFor, profileKey, type ScreenRequest } from './profile.ts';
import { type SendScheduler, threadSendScheduler } from './send-scheduler.ts';
import { SharedStream } from './shared-stream.ts';
import { StreamQuota } from './stream-quota.ts';
import type { PacketSink, StreamViewer } from './stream-viewer.ts';

export interface ScreenFanOutOptions {
  readonly device: Pick<RemoteDevice, 'descriptor' | 'watch'>;
  readonly clock: Clock;
  /** The metrics of each encoding. */
  readonly figures: (encoding: ScreenEncoding) => ScreenFigures;
  readonly scheduler?: SendScheduler;
}

/** The live screen of one session: one stream per profile in use, shared by all viewers of the profile. */
export class ScreenFanOut {
  readonly #device: Pick<RemoteDevice, 'descriptor' | 'watch'>;
  readonly #clock: Clock;
  readonly #scheduler: SendScheduler;
  readonly #figures: ScreenFanOutOptions['figures'];
  readonly #streams = new Map<string, SharedStream>();
  readonly #quota: StreamQuota;

  constructor({ device, clock, figures, scheduler = threadSendScheduler }: ScreenFanOutOptions) {
    this.#device = device;
    this.#clock = clock;
    this.#scheduler = scheduler;
    this.#figures = figures;
    this.#quota = new StreamQuota(clock);
  }

  /** Running streams of the device. */
  get streamCount(): number {
    return this.#streams.size;
  }

  /**
   * Subscribes a sink to the screen with its stream id. Throws `ServiceError`: `invalid_request` if no requested encoding is offered or the device has no such display,
   * `rate_limited` if too many different streams run. For a key, a stream that only links watch is ended instead.
   * @param bearer whose sink it is
   * @param beforeSeq the `seq` of the last packet that the sink was sent of this stream before
   */
  watch(request: ScreenRequest, streamId: number, sink: PacketSink, bearer: Bearer, beforeSeq = 0): StreamViewer {
    const profile = profileFor(request, this.#device.descriptor);
    const key = profileKey(profile);
    const running = this.#streams.get(key);
    if (running) return running.join(streamId, sink, bearer, beforeSeq);
    this.#quota.makeRoom(this.#streams, bearer);
    const stream = new SharedStream({
      clock: this.#clock,
      scheduler: this.#scheduler,
      figures: this.#figures(profile.encoding),
      watch: (listener) => this.#device.watch(profile, listener),
      onOver: () => {
        if (this.#streams.get(key) === stream) this.#streams.delete(key);
      },
    });
    this.#streams.set(key, stream);
    return stream.join(streamId, sink, bearer, beforeSeq);
  }
}
