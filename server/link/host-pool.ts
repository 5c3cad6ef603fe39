import { DeviceFault } from '../device/fault.ts';
import { HostLink, type HostLinkOptions } from './host-link.ts';
import type { FromHost, Port, ToHost } from './messages.ts';

/** Host threads, each with many devices. One that dies takes its own devices along and is replaced on demand. */
export class HostPool {
  readonly #spawn: () => Port<ToHost, FromHost>;
  readonly #options: HostLinkOptions;
  readonly #links: (HostLink | undefined)[];
  #lastDevice = 0;
  #closed = false;

  /** @param size how many hosts there are at most; each starts with its first device */
  constructor(size: number, spawn: () => Port<ToHost, FromHost>, options: HostLinkOptions = {}) {
    this.#spawn = spawn;
    this.#options = options;
    this.#links = Array.from({ length: size }, () => undefined);
  }

  /**
   * A link to the host that the device of this index belongs to, and a fresh number for the device. Throws an `unreachable`
   * fault once the pool is closed: a host that began then would never end.
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

  /** Settles when every host is gone. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#links.map((link) => link?.close()));
  }
}
