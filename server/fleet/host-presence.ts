import type { Bus } from './bus.ts';
import { BEAT_MS, type Presence } from './messages.ts';
import { placeOf, presenceOf } from './subjects.ts';

export interface HostPresenceOptions {
  readonly bus: Bus;
  readonly host: string;
  readonly epoch: number;
  readonly devices: () => Presence['devices'];
  readonly sessions: () => number;
}

/** Tells the edges that this host is there, and what is free. */
export class HostPresence {
  readonly #options: HostPresenceOptions;
  readonly #beats: NodeJS.Timeout;
  #connection = 1;

  constructor(options: HostPresenceOptions) {
    this.#options = options;
    options.bus.onConnected((connected) => {
      if (!connected) return;
      this.#connection++;
      this.#tell();
    });
    this.#beats = setInterval(() => this.#tell(), BEAT_MS);
    this.#tell();
  }

  /** Tells that the host stops. */
  close(): void {
    clearInterval(this.#beats);
    this.#tell({ leaving: true });
  }

  #tell(more: Pick<Presence, 'leaving'> = {}): void {
    const { bus, host, epoch, devices, sessions } = this.#options;
    const presence: Presence = {
      host,
      place: placeOf(host),
      epoch,
      connection: this.#connection,
      devices: devices(),
      sessions: sessions(),
      ...more,
    };
    bus.publish(presenceOf(host), Buffer.from(JSON.stringify(presence)));
  }
}
