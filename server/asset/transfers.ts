import { type FileHandle, open } from 'node:fs/promises';
import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import { isDiskFull } from '../flow/storage-errors.ts';
import type { AssetFiles, IncomingFile } from './asset-files.ts';
import { TELLING_BYTES } from './media-type.ts';

/** A file on its way to a device. */
export interface Arrived {
  /** Absolute path on this host. */
  readonly file: string;
  readonly byteSize: number;
  /** Its first bytes. */
  readonly head: Uint8Array;
}

/** Files that devices are given, or give: each is on this host's disk from its arrival until the device, or its reader, has it, and no longer. */
export class Transfers {
  readonly #files: AssetFiles;
  readonly #headroomBytes: number;
  /** On their way, of each account. */
  readonly #running = new Map<string, number>();
  /** Announced bytes that have not come yet. */
  #toComeBytes = 0;

  /** @param headroomBytes free bytes that are left to recordings */
  constructor(files: AssetFiles, headroomBytes: number) {
    this.#files = files;
    this.#headroomBytes = headroomBytes;
  }

  /** Reserves one, before anything of it is read. Throws `rate_limited` and `asset_capacity_unavailable`. */
  admit(accountId: string, announcedBytes: number): Transfer {
    const running = this.#running.get(accountId) ?? 0;
    if (running >= LIMITS.uploadsPerAccount) {
      const message = `The account has ${LIMITS.uploadsPerAccount} files on their way to devices.`;
      throw new ServiceError('rate_limited', message, { retryAfterSeconds: 5 });
    }
    if (this.#files.freeBytes() - this.#toComeBytes - announcedBytes < this.#headroomBytes) throw noRoom();
    this.#running.set(accountId, running + 1);
    this.#toComeBytes += announcedBytes;
    let over = false;
    return {
      take: (body, use) => this.#take(body, use),
      bring: (fill) => this.#bring(fill),
      end: () => {
        if (over) return;
        over = true;
        this.#toComeBytes -= announcedBytes;
        const left = (this.#running.get(accountId) ?? 1) - 1;
        if (left > 0) this.#running.set(accountId, left);
        else this.#running.delete(accountId);
      },
    };
  }

  async #take<T>(body: AsyncIterable<Uint8Array>, use: (arrived: Arrived) => Promise<T>): Promise<T> {
    const incoming = await this.#files.begin();
    try {
      return await use(await this.#write(body, incoming));
    } finally {
      await incoming.discard();
    }
  }

  async #bring(fill: (file: string) => Promise<void>): Promise<FileHandle> {
    let incoming: IncomingFile | undefined;
    try {
      incoming = await this.#files.begin();
      await fill(incoming.path);
      return await open(incoming.path, 'r');
    } catch (error) {
      throw isDiskFull(error) ? noRoom() : error;
    } finally {
      // What is open stays readable.
      await incoming?.discard();
    }
  }

  async #write(body: AsyncIterable<Uint8Array>, incoming: IncomingFile): Promise<Arrived> {
    let byteSize = 0;
    let head = new Uint8Array();
    try {
      for await (const piece of body) {
        byteSize += piece.byteLength;
        if (head.length < TELLING_BYTES) head = Buffer.concat([head, piece.subarray(0, TELLING_BYTES)]);
        await incoming.write(piece);
      }
    } catch (error) {
      throw isDiskFull(error) ? noRoom() : error;
    }
    return { file: incoming.path, byteSize, head };
  }
}

export interface Transfer {
  /** Takes the body to its end, and keeps it for as long as `use` takes. Throws `asset_capacity_unavailable`, and what either throws. */
  take<T>(body: AsyncIterable<Uint8Array>, use: (arrived: Arrived) => Promise<T>): Promise<T>;
  /** A new file, which `fill` writes, opened for reading; it has no name any more. The caller closes it. */
  bring(fill: (file: string) => Promise<void>): Promise<FileHandle>;
  end(): void;
}

function noRoom(): ServiceError {
  const message = 'There is not enough free disk space for this file.';
  return new ServiceError('asset_capacity_unavailable', message, { retryAfterSeconds: 60 });
}
