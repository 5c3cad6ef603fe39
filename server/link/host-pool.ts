import { HostLink } from './host-link.ts';
import type { FromHost, Port, ToHost } from './messages.ts';

/** Host threads, each with many devices. One that dies takes its own devices along and is replaced on demand. */
export class HostPool {
  readonly #spawn: () => Port<ToHost, FromHost>;
  readonly #links: (HostLink | undefined)[];
  #lastDevice = 0;

  /** @param size how many hosts there are at most; each starts with its first device */
  constructor(size: number, spawn: () => Port<ToHost, FromHost>) {
    this.#spawn = spawn;
    this.#links = Array.from({ length: size }, () => undefined);
  }

  /** A link to the host that the device of this index belongs to, and a fresh number for the device. */
  link(index: number): { readonly link: HostLink; readonly device: number } {
    const slot = index % this.#links.length;
    let link = this.#links[slot];
    if (!link || link.closedReason !== undefined) {
      link = new HostLink(this.#spawn());
      this.#links[slot] = link;
    }
    return { link, device: ++this.#lastDevice };
  }

  /** Settles when every host is gone. */
  async close(): Promise<void> {
    await Promise.all(this.#links.map((link) => link?.close()));
  }
}
