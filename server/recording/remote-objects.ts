import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import { RecordingFault } from '../link/recording-fault.ts';
import type { RecordingFinisher } from '../link/recording-finisher.ts';
import type { FinishedRecording } from '../link/recording-messages.ts';
import type { OnFault } from '../observe/log-ids.ts';
import type { RecordingRow } from '../store/recording-row.ts';
import { storeUnavailable } from './failure.ts';
import type { RecordingFiles } from './recording-files.ts';

export interface RemoteObjectsOptions {
  readonly finisher: Pick<RecordingFinisher, 'store' | 'makePoster'>;
  readonly files: Pick<RecordingFiles, 'finished' | 'hasPoster' | 'keepPoster' | 'removeFinished'>;
  readonly onFault: OnFault;
}

/** Finished recordings in an object store. The file on the disk is there until the object is, and its poster stays. */
export class RemoteObjects {
  readonly #options: RemoteObjectsOptions;

  constructor(options: RemoteObjectsOptions) {
    this.#options = options;
  }

  /** Stores the finished file and gives the key of its object. Can be repeated. Rejects with a `RecordingFault`. */
  async put(id: string, { byteSize, sha256 }: FinishedRecording): Promise<string> {
    const { finisher, files } = this.#options;
    const key = keyOf(id);
    const fileName = `${id}.mp4`;
    const object = { key, file: files.finished(id), byteSize, sha256, fileName, mediaType: 'video/mp4' };
    await finisher.store({ act: 'put', object }, { recordingId: id });
    return key;
  }

  /** Removes the file of a recording whose object is stored, once its poster is kept. Can be repeated. */
  async clear({ id, byteSize = 0 }: RecordingRow): Promise<void> {
    const { finisher, files, onFault } = this.#options;
    if (!(await files.hasPoster(id))) {
      try {
        const jpeg = await finisher.makePoster({ file: files.finished(id), byteSize }, { recordingId: id });
        await files.keepPoster(id, jpeg);
      } catch (error) {
        // A recording without a picture has no poster; everything else may pass.
        if (!(error instanceof RecordingFault) || error.retryable) throw error;
        onFault(error, { recordingId: id });
      }
    }
    await files.removeFinished(id);
  }

  /**
   * An address that gives the object to whoever has it, for a minute. Throws `recording_object_invalid` if the object is absent or has
   * another size, and `store_unavailable` if the store cannot be asked now.
   */
  async refer(id: string, key: string, byteSize: number): Promise<string> {
    const { finisher, onFault } = this.#options;
    const object = { key, byteSize, validSeconds: LIMITS.recordingReferenceMs / 1_000 };
    try {
      const url = await finisher.store({ act: 'refer', object }, { recordingId: id });
      if (url !== undefined) return url;
    } catch (error) {
      if (error instanceof RecordingFault && !error.retryable) {
        onFault(error, { recordingId: id });
        throw new ServiceError('recording_object_invalid');
      }
    }
    throw storeUnavailable();
  }

  /** Deletes the object of a recording, if there is one. Rejects with a `RecordingFault`. */
  async remove(id: string): Promise<void> {
    await this.#options.finisher.store({ act: 'delete', key: keyOf(id) }, { recordingId: id });
  }

  async isReachable(): Promise<boolean> {
    return this.#options.finisher.store({ act: 'reach' }).then(
      () => true,
      () => false,
    );
  }
}

const keyOf = (id: string): string => `recordings/${id}.mp4`;
