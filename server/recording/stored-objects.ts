import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { ServiceError } from '@runcloud/protocol/terms';
import { RecordingFault } from '../link/recording-fault.ts';
import type { RecordingFinisher } from '../link/recording-finisher.ts';
import type { OnFault } from '../observe/log-ids.ts';
import type { RecordingRow } from '../store/recording-row.ts';
import { storeUnavailable } from './failure.ts';
import type { RecordingFiles } from './recording-files.ts';

/** An open file that matches its record. The caller closes it. */
export interface OpenObject {
  readonly handle: FileHandle;
  readonly byteSize: number;
  readonly sha256: string;
}

export interface StoredObjectsOptions {
  readonly finisher: Pick<RecordingFinisher, 'verify'>;
  readonly files: Pick<RecordingFiles, 'finished'>;
  readonly onFault: OnFault;
}

const GONE: readonly unknown[] = ['ENOENT', 'ENOTDIR', 'ELOOP'];

/** Maximum number of cached verifications; the oldest is dropped, and its object is verified again. */
const VERIFIED_MAX = 10_000;

/** Finished objects; each is verified against its record before it is served. */
export class StoredObjects {
  readonly #options: StoredObjectsOptions;
  /** Identities of files that were verified, by recording. */
  readonly #verified = new Map<string, string>();
  readonly #verifying = new Map<string, Promise<boolean>>();

  constructor(options: StoredObjectsOptions) {
    this.#options = options;
  }

  /**
   * Opens the object of a recording that is `ready`. Its checksum is verified once as long as the file does not change. Throws
   * `recording_object_invalid` if it is absent or altered, and `store_unavailable` if it cannot be read now.
   */
  async open(row: RecordingRow): Promise<OpenObject> {
    const { byteSize, sha256 } = row;
    const handle = await this.#openFile(row.id);
    if (!handle || byteSize === undefined || sha256 === undefined) throw new ServiceError('recording_object_invalid');
    const object = { handle, byteSize, sha256 };
    try {
      const seen = await identityOf(object);
      const verified = this.#verified.get(row.id) === seen || (await this.#verify(row.id, seen, object));
      if (!verified) throw new ServiceError('recording_object_invalid');
      return object;
    } catch (error) {
      this.#verified.delete(row.id);
      await handle.close();
      throw error;
    }
  }

  /** Opens a file; `undefined` if it is absent or not a regular file. */
  async #openFile(id: string): Promise<FileHandle | undefined> {
    try {
      return await open(this.#options.files.finished(id), constants.O_RDONLY | constants.O_NOFOLLOW);
    } catch (error) {
      if (GONE.includes((error as NodeJS.ErrnoException).code)) return undefined;
      // Too many open files or a failing disk: the object itself may be valid.
      this.#options.onFault(error, { recordingId: id });
      throw storeUnavailable();
    }
  }

  /** Concurrent requests for one file share one verification. */
  #verify(id: string, seen: string, object: OpenObject): Promise<boolean> {
    const key = `${id} ${seen}`;
    const running = this.#verifying.get(key);
    if (running !== undefined) return running;
    const verifying = this.#read(id, seen, object).finally(() => this.#verifying.delete(key));
    this.#verifying.set(key, verifying);
    return verifying;
  }

  async #read(id: string, seen: string, object: OpenObject): Promise<boolean> {
    const { finisher, files, onFault } = this.#options;
    const { byteSize, sha256 } = object;
    try {
      if (!(await finisher.verify({ file: files.finished(id), byteSize, sha256 }, { recordingId: id }))) return false;
    } catch (error) {
      onFault(error, { recordingId: id });
      if (error instanceof RecordingFault && !error.retryable) return false;
      throw storeUnavailable();
    }
    // A file that changed during the reading is not verified.
    if ((await identityOf(object)) !== seen) return false;
    this.#remember(id, seen);
    return true;
  }

  #remember(id: string, seen: string): void {
    this.#verified.set(id, seen);
    if (this.#verified.size <= VERIFIED_MAX) return;
    const [oldest] = this.#verified.keys();
    if (oldest !== undefined) this.#verified.delete(oldest);
  }
}

/** Identifies a file and its state. Throws `recording_object_invalid` for another size. */
async function identityOf({ handle, byteSize }: OpenObject): Promise<string> {
  const stats = await handle.stat({ bigint: true });
  if (!stats.isFile() || stats.size !== BigInt(byteSize)) throw new ServiceError('recording_object_invalid');
  return `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
}
