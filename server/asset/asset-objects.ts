import { createHash } from 'node:crypto';
import { randomBase62, ServiceError } from '@runcloud/protocol/terms';
import { RecordingFault } from '../link/recording-fault.ts';
import type { RecordingFinisher } from '../link/recording-finisher.ts';
import type { AssetFiles } from './asset-files.ts';

export interface AssetObjectsOptions {
  readonly finisher: Pick<RecordingFinisher, 'store'>;
  readonly files: AssetFiles;
  readonly onFault: (error: unknown) => void;
}

/** A package in the object store. */
export interface AssetObject {
  readonly key: string;
  readonly checksum: string;
  readonly byteSize: number;
}

const KEY_CHARACTERS = 12;
/** How long an address of the store is good: the download begins at once. */
const REFERENCE_S = 60;
/** Without a byte for so long, a download has failed. */
const SILENCE_MS_MAX = 30_000;
const RETRY_S = 5;

/**
 * Packages in an object store, where all edges of a fleet have them; the files of an edge are copies. Each upload has a key of its own, so
 * that no deletion at one edge takes what another has just stored.
 */
export class AssetObjects {
  readonly #options: AssetObjectsOptions;
  /** Downloads on their way, by checksum. */
  readonly #fetches = new Map<string, Promise<void>>();

  constructor(options: AssetObjectsOptions) {
    this.#options = options;
  }

  /** Stores a file and gives its key. Throws `asset_capacity_unavailable` and `store_unavailable`. */
  async put(file: string, checksum: string, byteSize: number): Promise<string> {
    const key = `assets/${checksum}-${randomBase62(KEY_CHARACTERS)}.pkg`;
    const fileName = `${checksum}.pkg`;
    const object = { key, file, byteSize, sha256: checksum, fileName, mediaType: 'application/octet-stream' };
    await this.#asked(() => this.#options.finisher.store({ act: 'put', object }));
    return key;
  }

  /** Has the package among the files, from the store where it is not. Throws `store_unavailable`. */
  async fetch(object: AssetObject): Promise<void> {
    const { checksum } = object;
    if (this.#options.files.has(checksum)) return;
    let fetching = this.#fetches.get(checksum);
    if (fetching === undefined) {
      fetching = this.#asked(() => this.#download(object)).finally(() => this.#fetches.delete(checksum));
      this.#fetches.set(checksum, fetching);
    }
    await fetching;
  }

  /** Deletes an object that no row names any more; where the store is away, it stays. */
  async remove(key: string): Promise<void> {
    const { finisher, onFault } = this.#options;
    await finisher.store({ act: 'delete', key }).catch(onFault);
  }

  async #download({ key, checksum, byteSize }: AssetObject): Promise<void> {
    const { finisher, files } = this.#options;
    const url = await finisher.store({ act: 'refer', object: { key, byteSize, validSeconds: REFERENCE_S } });
    if (url === undefined) throw new Error('the object store gives no address');
    const silence = new AbortController();
    const heard = setTimeout(() => silence.abort(), SILENCE_MS_MAX);
    const incoming = await files.begin();
    try {
      const { ok, status, body } = await fetch(url, { signal: silence.signal });
      if (!ok || !body) throw new Error(`the object store answers ${status}`);
      const hash = createHash('sha256');
      for await (const piece of body as unknown as AsyncIterable<Uint8Array>) {
        heard.refresh();
        hash.update(piece);
        await incoming.write(piece);
      }
      if (hash.digest('hex') !== checksum) throw new Error('the object store holds another package than it was given');
      await incoming.finish();
      await files.keep(incoming, checksum);
    } finally {
      clearTimeout(heard);
      await incoming.discard();
    }
  }

  /** What the store refuses, as callers are told it. */
  async #asked<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      this.#options.onFault(error);
      const isFull = error instanceof RecordingFault && error.code === 'storage_full';
      throw new ServiceError(isFull ? 'asset_capacity_unavailable' : 'store_unavailable', undefined, {
        retryAfterSeconds: RETRY_S,
      });
    }
  }
}
