import type { FileEntry, FileKind, FilePlace } from '@runcloud/protocol';

/** What is in a folder. */
export interface ListedFolder {
  /** By name, in the order of their code units; at most `LIMITS.filesListed`. */
  readonly entries: readonly FileEntry[];
  readonly truncated?: true;
  /** Entries whose names are no UTF-8. */
  readonly unnamed?: number;
}

/**
 * The files of a device. Every name of a path is the file's very name, whatever is in it; no link is followed. All methods reject with
 * `DeviceFault`s.
 */
export interface DeviceFiles {
  /** @param place of the folder, the root's with an empty path */
  list(place: FilePlace, signal: AbortSignal): Promise<ListedFolder>;
  /** Copies a file of at most `LIMITS.fileBytes` into one that is here already. @param into absolute path on this host */
  pull(place: FilePlace, into: string, signal: AbortSignal): Promise<{ readonly byteSize: number }>;
  /**
   * Copies a file of this host to the device, in the place of one of this name, with the folders of its path; whole or not at all.
   * Settles with what the device tells of it then.
   */
  push(
    place: FilePlace,
    file: string,
    signal: AbortSignal,
  ): Promise<Pick<FileEntry, 'modifiedAt'> & { readonly byteSize: number }>;
  /** Deletes a file, a link or an empty folder; settles with what it was. */
  remove(place: FilePlace, signal: AbortSignal): Promise<{ readonly kind: FileKind }>;
}

/** What is asked of the files of a device; `file` and `into` are absolute paths on this host. */
export type FileOrder = FilePlace &
  (
    | { readonly verb: 'list' | 'delete' }
    | { readonly verb: 'pull'; readonly into: string }
    | { readonly verb: 'push'; readonly file: string; readonly byteSize: number }
  );
