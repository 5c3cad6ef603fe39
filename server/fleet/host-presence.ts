import type { Clock } from '../flow/clock.ts';
import { every } from '../flow/every.ts';
import type { ChannelFigures } from '../observe/channel-counts.ts';
import type { Bus } from './bus.ts';
import { BEAT_MS, type Presence } from './messages.ts';
import { placeOf, presenceOf } from './subjects.ts';

export interface HostPresenceOptions {
  readonly bus: Bus;
  readonly host: string;
  readonly epoch: number;
  readonly clock: Clock;
  readonly devices: () => Presence['devices'];
  readonly sessions: () => number;
  readonly channels: () => ChannelFigures;
  readonly outbox: () => number;
}

/** Tells the edges that this host is there, and what is free. */
export class HostPresence {
  readonly #options: HostPresenceOptions;
  readonly #endBeats: () => void;
  #connection = 1;

  constructor(options: HostPresenceOptions) {
    this.#options = options;
    options.bus.onConnected((connected) => {
      if (!connected) return;
      this.#connection++;
      this.tell();
    });
    this.#endBeats = every(options.clock, BEAT_MS, () => this.tell());
    this.tell();
  }

  tell(): void {
    this.#say();
  }

  /** Tells that the host stops. */
  close(): void {
    this.#endBeats();
    this.#say({ leaving: true });
  }

  #say(more: Pick<Presence, 'leaving'> = {}): void {
    const { bus, host, epoch, devices, sessions, channels, outbox } = this.#options;
    const presence: Presence = {
      host,
      place: placeOf(host),
      epoch,
      connection: this.#connection,
      devices: devices(),
      sessions: sessions(),
      channels: channels(),
      outbox: outbox(),
      ...more,
    };
    bus.publish(presenceOf(host), Buffer.from(JSON.stringify(presence)));
  }
}
