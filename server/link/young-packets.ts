import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes of packets between two collections, each of which takes about a millisecond: busy screens send as many several times a second. */
const BYTES = 4_194_304;

/**
 * Collects the young objects of this thread. V8's own function for it, which exists in contexts made while `--expose-gc` is set (Node.js,
 * "v8.setFlagsFromString"; V8, `src/extensions/gc-extension.cc`).
 */
export const collectYoung = (() => {
  setFlagsFromString('--expose-gc');
  const collect: (options: { readonly type: 'minor' }) => void = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  return () => collect({ type: 'minor' });
})();

/**
 * Has the memory of received packets freed in time. It is freed with the small objects that hold it, and those alone are too few to
 * be collected: V8 lets packets which nobody needs any more fill tens of megabytes, and then marks its whole heap, which holds the
 * thread up for 10 to 20 ms each second.
 */
export class YoungPackets {
  readonly #collect: () => void;
  #bytes = 0;

  constructor(collect = collectYoung) {
    this.#collect = collect;
  }

  received(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < BYTES) return;
    this.#bytes = 0;
    this.#collect();
  }
}
