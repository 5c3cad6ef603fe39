import { DeviceFault } from '../device/fault.ts';
import { HostLink, type HostLinkOptions } from './host-link.ts';
import type { FromHost, Port, ToHost } from './messages.ts';

/** Host threads, each with many devices. If one dies, its devices are lost, and it is replaced on demand. */
export class HostPool {
  readonly #spawn: () => Port<ToHost, FromHost>;
  readonly #options: HostLinkOptions;
  readonly #links: (HostLink | undefined)[];
  #lastDevice = 0;
  #closed = false;

  /** @param size maximum number of hosts; each starts with its first device */
  constructor(size: number, spawn: () => Port<ToHost, FromHost>, options: HostLinkOptions = {}) {
    this.#spawn = spawn;
    this.#options = options;
    this.#links = Array.from({ length: size }, () => undefined);
  }

  /**
   * The link to the host of the device with this index, and a new number for the device. Throws an `unreachable` fault after the
   * pool is closed: a host started then would never end.
   */
  link(index: number): { readonly link: HostLink; readonly device: number } {
    if (this.#closed) throw new DeviceFault('unreachable', 'The host is ending.');
    const slot = index % this.#links.length;
    let link = this.#links[slot];
    if (!link || link.closedReason !== undefined) {
      link = new HostLink(this.#spawn(), this.#options);
      this.#links[slot] = link;
    }
    return { link, device: ++this.#lastDevice };
  }

  /** Settles when every host has ended. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#links.map((link) => link?.close()));
  }
}
