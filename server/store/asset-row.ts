import type { Platform } from '@runcloud/protocol';

/** The stored facts about a package, shared by all assets with this content. */
export interface AssetContentRow {
  /** SHA-256 of the file, 64 hex digits; also its name on disk. */
  readonly checksum: string;
  readonly byteSize: number;
  readonly platform: Platform;
  readonly identifier: string;
  readonly name: string;
  readonly version: string;
  readonly urlSchemes: readonly string[];
  /** All that devices are told of the app but its icon, as JSON text. */
  readonly description: string;
  /** PNG. */
  readonly icon?: Uint8Array;
  /** Where it is in the object store; absent where packages are on the disk alone. */
  readonly objectKey?: string;
}

/** An account's upload, as a list has it. */
export interface ListedAssetRow extends Omit<AssetRow, 'urlSchemes'> {
  /** Absent where they are long. */
  readonly urlSchemes?: readonly string[];
}

/** An account's upload. */
export interface AssetRow extends Omit<AssetContentRow, 'description' | 'icon' | 'objectKey'> {
  readonly id: string;
  readonly accountId: string;
  readonly createdAtMs: number;
}
