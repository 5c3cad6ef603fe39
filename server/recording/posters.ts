import { readFile } from 'node:fs/promises';
import { ServiceError } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import { RecordingFault } from '../link/recording-fault.ts';
import type { RecordingFinisher } from '../link/recording-finisher.ts';
import type { OnFault } from '../observe/log-ids.ts';
import type { RecordingRow } from '../store/recording-row.ts';
import type { RecordingTable } from '../store/recording-table.ts';
import { storeUnavailable } from './failure.ts';
import { refuseUnready } from './readiness.ts';
import type { RecordingFiles } from './recording-files.ts';

export interface PostersOptions {
  readonly store: Pick<RecordingTable, 'find' | 'get'>;
  readonly finisher: Pick<RecordingFinisher, 'makePoster'>;
  readonly files: Pick<RecordingFiles, 'finished' | 'poster' | 'keepPoster' | 'removePoster'>;
  readonly clock: Pick<Clock, 'wallMs'>;
  readonly onFault: OnFault;
}

/** Posters of recordings: made by the finisher when one is first asked for, and kept beside the object. */
export class Posters {
  readonly #options: PostersOptions;
  readonly #making = new Map<string, Promise<Uint8Array>>();

  constructor(options: PostersOptions) {
    this.#options = options;
  }

  /**
   * The JPEG of the session's recording. Throws `recording_not_found`, `recording_not_ready`, `recording_failed` and
   * `recording_deleted`; `recording_object_invalid` if the object has no picture, and `store_unavailable` if the poster cannot be
   * made or read now.
   */
  async read(sessionId: string, id: string): Promise<Uint8Array> {
    const { store, clock } = this.#options;
    const row = store.find(sessionId, id);
    if (!row) throw new ServiceError('recording_not_found');
    refuseUnready(row, clock.wallMs());
    return (await this.#kept(id)) ?? (await this.#made(row));
  }

  /** The poster that was made before, if there is one. */
  async #kept(id: string): Promise<Uint8Array | undefined> {
    const { files, onFault } = this.#options;
    try {
      return await readFile(files.poster(id));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      onFault(error, { recordingId: id });
      throw storeUnavailable();
    }
  }

  /** Concurrent requests for one poster share its making. */
  #made(row: RecordingRow): Promise<Uint8Array> {
    const running = this.#making.get(row.id);
    if (running !== undefined) return running;
    const making = this.#make(row).finally(() => this.#making.delete(row.id));
    this.#making.set(row.id, making);
    return making;
  }

  async #make(row: RecordingRow): Promise<Uint8Array> {
    const { store, files, onFault } = this.#options;
    const { id } = row;
    const about = { recordingId: id };
    const jpeg = await this.#draw(row);
    // A full disk keeps no poster, but the picture is there to be seen.
    await files.keepPoster(id, jpeg).catch((error: unknown) => onFault(error, about));
    if (store.get(id)?.status === 'ready') return jpeg;
    // The recording was deleted meanwhile, and its poster goes with it.
    await files.removePoster(id).catch((error: unknown) => onFault(error, about));
    throw new ServiceError('recording_deleted');
  }

  async #draw({ id, byteSize = 0 }: RecordingRow): Promise<Uint8Array> {
    const { finisher, files, onFault } = this.#options;
    const about = { recordingId: id };
    try {
      return await finisher.makePoster({ file: files.finished(id), byteSize }, about);
    } catch (error) {
      onFault(error, about);
      if (error instanceof RecordingFault && !error.retryable) throw new ServiceError('recording_object_invalid');
      throw storeUnavailable();
    }
  }
}
