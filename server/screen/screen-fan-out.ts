import { LIMITS, type ScreenEncoding, ServiceError } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import type { RemoteDevice } from '../link/remote-device.ts';
import type { ScreenFigures } from '../observe/screen-metrics.ts';
import { profileFor, profileKey, type ScreenRequest } from './profile.ts';
import { type SendScheduler, threadSendScheduler } from './send-scheduler.ts';
import { SharedStream } from './shared-stream.ts';
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

  constructor({ device, clock, figures, scheduler = threadSendScheduler }: ScreenFanOutOptions) {
    this.#device = device;
    this.#clock = clock;
    this.#scheduler = scheduler;
    this.#figures = figures;
  }

  /** Running streams of the device. */
  get streamCount(): number {
    return this.#streams.size;
  }

  /**
   * Subscribes a sink to the screen with its stream id. Throws `ServiceError`: `invalid_request` if no requested encoding is offered or the device has no such display,
   * `rate_limited` if too many different streams run. For the role `control` a stream that only viewers watch is ended instead.
   * @param guest whether the sink has the role `view`
   */
  watch(request: ScreenRequest, streamId: number, sink: PacketSink, guest = false): StreamViewer {
    const profile = profileFor(request, this.#device.descriptor);
    const key = profileKey(profile);
    const running = this.#streams.get(key);
    if (running) return running.join(streamId, sink, guest);
    if (!this.#hasRoom(guest)) {
      throw new ServiceError('rate_limited', 'The session has too many different screen streams.');
    }
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
    return stream.join(streamId, sink, guest);
  }

  /** Ends a stream to make room, if needed and possible. */
  #hasRoom(guest: boolean): boolean {
    const { screenProfilesPerSession: most, screenProfilesForControl: reserved } = LIMITS;
    if (guest) return this.#streams.size < most - reserved;
    if (this.#streams.size < most) return true;
    // Viewers stay on streams after sockets with the role `control` have left, so the reserve itself may be used up.
    for (const stream of this.#streams.values()) {
      if (!stream.guestsOnly) continue;
      stream.end('displaced');
      return true;
    }
    return false;
  }
}
