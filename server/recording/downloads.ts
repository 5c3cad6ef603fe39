import { ServiceError } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import type { RecordingTable } from '../store/recording-table.ts';
import { storeUnavailable } from './failure.ts';
import { refuseUnready } from './readiness.ts';
import type { RemoteObjects } from './remote-objects.ts';
import type { RetrievalReferences } from './retrieval-references.ts';
import type { OpenObject, StoredObjects } from './stored-objects.ts';

export interface DownloadsOptions {
  readonly store: Pick<RecordingTable, 'find' | 'get'>;
  readonly objects: Pick<StoredObjects, 'open'>;
  /** Absent where recordings stay on the disk. */
  readonly remote?: Pick<RemoteObjects, 'refer'>;
  readonly references: RetrievalReferences;
  readonly clock: Pick<Clock, 'wallMs'>;
}

/** Where a caller gets a recording from: a reference for this service, or an address of the object store. */
export type Retrieval = { readonly reference: string } | { readonly url: string };

/** The way from a recording to its bytes: first a verified, short-lived reference, then the file behind it. */
export class Downloads {
  readonly #options: DownloadsOptions;

  constructor(options: DownloadsOptions) {
    this.#options = options;
  }

  /**
   * The way to the session's recording, whose object was verified. Throws `recording_not_found`, `recording_not_ready`,
   * `recording_failed`, `recording_deleted`, `recording_object_invalid`, and `store_unavailable`.
   */
  async refer(sessionId: string, id: string): Promise<Retrieval> {
    const { store, objects, remote, references, clock } = this.#options;
    const row = store.find(sessionId, id);
    if (!row) throw new ServiceError('recording_not_found');
    refuseUnready(row, clock.wallMs());
    const { objectKey, byteSize = 0 } = row;
    if (objectKey !== undefined) {
      // The store was taken out of the settings.
      if (!remote) throw storeUnavailable();
      return { url: await remote.refer(id, objectKey, byteSize) };
    }
    const { handle } = await objects.open(row);
    await handle.close();
    return { reference: references.sign(id) };
  }

  /** The object that a reference opens. Throws `retrieval_reference_invalid`, and what `refer` throws. */
  async retrieve(id: string, reference: string): Promise<OpenObject> {
    const { store, objects, references, clock } = this.#options;
    if (!references.verify(id, reference)) throw new ServiceError('retrieval_reference_invalid');
    const row = store.get(id);
    if (!row) throw new ServiceError('recording_deleted');
    refuseUnready(row, clock.wallMs());
    return objects.open(row);
  }
}
