import type { ScreenProfile, StreamPicture } from '../../link/messages.ts';
import type { CaptureTime, StreamSource } from './stream-source.ts';

/** Receives a stream's pictures on the host itself. */
export interface LocalPictureSink {
  /** Must not keep the payload after it returns. The first picture is a key picture. */
  picture(picture: StreamPicture, time: CaptureTime): void;
  /** Called at most once, and last. */
  ended(cause: EndCause, reason: string): void;
}

/** The reason why a stream ended: its encoder failed, or the screen is gone. */
export type EndCause = 'encoder' | 'screen';

/** A local subscription to a stream. */
export interface Subscription {
  /** How its pictures are encoded. */
  readonly profile: ScreenProfile;
  requestKey(): void;
  /** Unsubscribes; the encoder ends with its last subscriber. */
  close(): void;
}

/** One encoder and its subscribers: at most one stream of the gateway, and local sinks of this host. */
export class EncodedStream {
  readonly profile: ScreenProfile;
  /** Others may listen too. */
  readonly shared: boolean;
  /** `undefined` while the encoder is being created. */
  source: StreamSource | undefined;
  #gatewayNumber: number | undefined;
  #gatewayAwaitsKey = true;
  /** Local sinks; true for one that still waits for its first key picture. */
  readonly #subscribers = new Map<LocalPictureSink, boolean>();

  constructor(profile: ScreenProfile, shared: boolean) {
    this.profile = profile;
    this.shared = shared;
  }

  /** The number of the gateway's stream; absent while the gateway is not subscribed. */
  get gatewayNumber(): number | undefined {
    return this.#gatewayNumber;
  }

  /** Subscribes the gateway from the next key picture on, or unsubscribes it. */
  set gatewayNumber(gatewayNumber: number | undefined) {
    this.#gatewayNumber = gatewayNumber;
    this.#gatewayAwaitsKey = true;
    if (gatewayNumber !== undefined) this.source?.requestKey();
  }

  get hasSubscribers(): boolean {
    return this.#gatewayNumber !== undefined || this.#subscribers.size > 0;
  }

  /** True when a local sink is subscribed, such as a recording, which is one track of one size. */
  get hasLocalSubscribers(): boolean {
    return this.#subscribers.size > 0;
  }

  addSubscriber(subscriber: LocalPictureSink): void {
    this.#subscribers.set(subscriber, true);
    this.source?.requestKey();
  }

  removeSubscriber(subscriber: LocalPictureSink): void {
    this.#subscribers.delete(subscriber);
  }

  /** @param toGateway called last, since it takes over the payload's memory */
  deliver(
    picture: StreamPicture,
    time: CaptureTime,
    toGateway: (gatewayNumber: number, picture: StreamPicture) => void,
  ): void {
    for (const [subscriber, awaitsKey] of [...this.#subscribers]) {
      // A sink may unsubscribe another one.
      if (!this.#subscribers.has(subscriber) || (awaitsKey && !picture.key)) continue;
      this.#subscribers.set(subscriber, false);
      subscriber.picture(picture, time);
    }
    if (this.#gatewayNumber === undefined || (this.#gatewayAwaitsKey && !picture.key)) return;
    this.#gatewayAwaitsKey = false;
    toGateway(this.#gatewayNumber, picture);
  }

  /** Ends the stream and tells its local sinks why. */
  end(cause: EndCause, reason: string): void {
    this.source?.close();
    const subscribers = [...this.#subscribers.keys()];
    this.#subscribers.clear();
    for (const subscriber of subscribers) subscriber.ended(cause, reason);
  }
}
