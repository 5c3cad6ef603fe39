import type { AssetRecord, AssetSummary } from '@runcloud/protocol';
import { type ErrorCode, LIMITS, newId, type Platform, ServiceError } from '@runcloud/protocol/terms';
import type { InstallableApp } from '../device/app-package.ts';
import type { Clock } from '../flow/clock.ts';
import { mapPage, type Page, type Span } from '../flow/page.ts';
import { isDiskFull, type Running } from '../flow/storage-errors.ts';
import { PackageLate, type PackageReader, PackageRefused, type ReadPackage } from '../link/package-reader.ts';
import type { AssetRow } from '../store/asset-row.ts';
import type { AssetTable, NewAsset } from '../store/asset-table.ts';
import { unavailable } from '../store/unavailable.ts';
import type { AssetFiles, IncomingFile } from './asset-files.ts';
import type { AssetObjects } from './asset-objects.ts';
import type { AssetQuota, HeldAsset, Reservation } from './asset-quota.ts';
import { toAssetRecord, toAssetSummary, toContentRow, toInstallable } from './asset-record.ts';

export interface AssetsOptions {
  readonly store: Pick<
    AssetTable,
    'insert' | 'remove' | 'get' | 'list' | 'identify' | 'content' | 'checksums' | 'unstored' | 'setObjectKey'
  >;
  readonly files: AssetFiles;
  /** Knows the assets that are there. */
  readonly quota: AssetQuota;
  readonly reader: Pick<PackageReader, 'read' | 'warm'>;
  readonly clock: Clock;
  /** Runs what writes, and gives its outcome once that survives a power cut; see `Store.commit`. */
  readonly commit: <T>(write: () => T | Promise<T>, how?: Running) => Promise<T>;
  /** Free bytes that uploads leave to recordings. */
  readonly headroomBytes: number;
  readonly elsewhere?: AssetsElsewhere;
  /** On an edge: where all edges have the packages. */
  readonly objects?: AssetObjects;
  /** Why no upload is accepted. */
  readonly whyClosed?: string;
}

/** Bytes that an upload writes between two checks of the free space. */
const LOOK_BYTES = 2 ** 24;
/** An upload that was not read in time is best repeated when the service is less busy. */
const LATE_RETRY_S = 60;

interface Owner {
  readonly accountId: string;
}

/** What a fleet's other processes have of assets: an edge accepts and deletes them, a host has those that its sessions need. */
export interface AssetsElsewhere {
  /** On a host: has an asset sent here; resolves as well where there is none. Throws `store_unavailable`. */
  fetch?: (accountId: string, id: string) => Promise<void>;
  /** On an edge: removes an asset from the hosts. Throws `asset_in_use`. */
  remove?: (accountId: string, id: string) => Promise<void>;
}

/** An asset with its content, for another process. */
export interface SentAsset extends NewAsset {
  readonly checksum: string;
  readonly byteSize: number;
}

/** Apps that a session is to install. They cannot be deleted before `release`. */
export interface AssetClaim {
  /** Reads and parses their descriptions: much, so to be asked for when there is a device to install them on. */
  apps(): readonly InstallableApp[];
  release(): void;
}

/** Uploaded apps: upload, look-up and use by sessions. An asset of another account is treated as unknown. */
export class Assets {
  readonly #options: AssetsOptions;
  /** How many live sessions use an asset. */
  readonly #uses = new Map<string, number>();
  /** Uploads on their way, of each account. */
  readonly #uploads = new Map<string, number>();
  /** Announced bytes of running uploads that are not received yet. */
  #toComeBytes = 0;
  /** Checksums of contents whose last asset was deleted, until that is on disk and their files are removed. */
  readonly #unused = new Map<string, { readonly objectKey?: string }>();
  /** Files change one after the other, each together with the look whether its content has a row. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: AssetsOptions) {
    this.#options = options;
  }

  /**
   * Reserves an upload, of `announcedBytes` where they are known, before anything of it is read. Throws `rate_limited`,
   * `asset_quota_exceeded`, and `asset_capacity_unavailable`.
   */
  admit({ accountId }: Owner, announcedBytes = 0): Upload {
    const { whyClosed } = this.#options;
    if (whyClosed !== undefined) throw new ServiceError('asset_capacity_unavailable', whyClosed);
    const running = this.#uploads.get(accountId) ?? 0;
    if (running >= LIMITS.uploadsPerAccount) {
      const message = `The account has ${LIMITS.uploadsPerAccount} uploads in progress.`;
      throw new ServiceError('rate_limited', message, { retryAfterSeconds: 5 });
    }
    this.#refuseFull(announcedBytes);
    const room = this.#options.quota.reserve(accountId, announcedBytes);
    this.#uploads.set(accountId, running + 1);
    this.#toComeBytes += announcedBytes;
    let toComeBytes = announcedBytes;
    const came = (bytes: number) => {
      const announced = Math.min(bytes, toComeBytes);
      toComeBytes -= announced;
      this.#toComeBytes -= announced;
    };
    let over = false;
    return {
      take: (body) => this.#take(accountId, body, room, came).catch(refusal),
      end: () => {
        if (over) return;
        over = true;
        came(toComeBytes);
        room.release();
        count(this.#uploads, accountId, -1);
      },
    };
  }

  async #take(
    accountId: string,
    body: AsyncIterable<Uint8Array>,
    room: Reservation,
    came: (bytes: number) => void,
    sent?: SentAsset,
  ): Promise<AssetRecord> {
    const incoming = await this.#options.files.begin();
    try {
      this.#options.reader.warm();
      let byteSize = 0;
      let lookedAt = 0;
      for await (const piece of body) {
        byteSize += piece.byteLength;
        room.cover(byteSize);
        await incoming.write(piece);
        came(piece.byteLength);
        if (byteSize - lookedAt < LOOK_BYTES) continue;
        lookedAt = byteSize;
        this.#refuseFull();
      }
      this.#refuseFull();
      if (byteSize === 0) throw new ServiceError('invalid_asset', 'The body is empty.');
      await incoming.finish();
      const read = await this.#read(accountId, incoming, byteSize);
      if (sent && sent.checksum !== read.checksum)
        throw new ServiceError('invalid_asset', 'It was changed on its way.');
      const asset = sent ?? { id: newId('ast'), accountId, createdAtMs: Math.floor(this.#options.clock.wallMs()) };
      return await this.#keep(asset, { accountId, byteSize, checksum: read.checksum }, room, incoming, read);
    } finally {
      await incoming.discard();
    }
  }

  /** Throws `asset_capacity_unavailable` if these and all announced bytes leave too little disk space for recordings. */
  #refuseFull(bytes = 0): void {
    const { files, headroomBytes } = this.#options;
    if (files.freeBytes() - this.#toComeBytes - bytes < headroomBytes) throw noRoom();
  }

  async #read(accountId: string, incoming: IncomingFile, byteSize: number): Promise<ReadPackage> {
    try {
      return await this.#options.reader.read(accountId, incoming.path, byteSize);
    } catch (error) {
      if (error instanceof PackageRefused) throw new ServiceError('invalid_asset', error.message);
      if (error instanceof PackageLate) {
        throw new ServiceError('asset_reader_unavailable', undefined, { retryAfterSeconds: LATE_RETRY_S });
      }
      throw error;
    }
  }

  /** The file comes first: a row without a file would be a promise that cannot be kept. */
  async #keep(
    { id, accountId, createdAtMs }: NewAsset,
    held: HeldAsset,
    room: Reservation,
    incoming: IncomingFile,
    { app }: ReadPackage,
  ): Promise<AssetRecord> {
    const { store, files, quota, commit, objects } = this.#options;
    const { checksum, byteSize } = held;
    const asset = { id, accountId, createdAtMs };
    const isStored = objects === undefined || store.content(checksum)?.objectKey !== undefined;
    const objectKey = isStored ? undefined : await objects.put(incoming.path, checksum, byteSize);
    const content = { ...toContentRow(checksum, byteSize, app), ...(objectKey !== undefined && { objectKey }) };
    let isKept = false;
    let isCounted = false;
    try {
      // `commit` calls this again if the database is locked, or another edge was faster: each attempt takes its turn anew and
      // blocks no other upload.
      await commit(() =>
        this.#inTurn(async () => {
          const isNew = store.content(checksum) === undefined;
          if (isNew && objects && objectKey === undefined) throw unavailable();
          const keeps = isNew && !isKept;
          if (keeps) await files.keep(incoming, checksum);
          try {
            store.insert(content, asset);
          } catch (error) {
            if (keeps) await files.giveBack(incoming, checksum);
            throw error;
          }
          isKept ||= keeps;
          if (isCounted) return;
          room.release();
          quota.added(held);
          isCounted = true;
        }),
      );
    } catch (error) {
      // Where the store was not available, nobody knows whether the row is kept after all: it must not lose its object.
      const isKnown = !(error instanceof ServiceError && error.code === 'store_unavailable');
      if (objectKey !== undefined && isKnown) await objects?.remove(objectKey);
      throw error;
    }
    // Another edge may have stored the same content meanwhile.
    if (objectKey !== undefined && store.content(checksum)?.objectKey !== objectKey) await objects?.remove(objectKey);
    // No matter of this upload: what cannot be removed now is removed after a later change.
    await this.#removeUnused().catch(() => undefined);
    return this.read({ accountId }, asset.id);
  }

  /** Keeps an asset that an edge has accepted, under its id. Throws as an upload does. */
  async adopt(asset: SentAsset, body: AsyncIterable<Uint8Array>): Promise<void> {
    const { store, quota } = this.#options;
    if (store.identify(asset.accountId, asset.id)) return;
    const room = quota.reserve(asset.accountId, asset.byteSize);
    try {
      await this.#take(asset.accountId, body, room, () => undefined, asset).catch(refusal);
    } finally {
      room.release();
    }
  }

  /** An asset for a host; `undefined` for an unknown one. Throws `store_unavailable` where its package cannot be had now. */
  async send(accountId: string, id: string): Promise<{ readonly asset: SentAsset; readonly file: string } | undefined> {
    const { store, files, objects } = this.#options;
    const row = store.get(accountId, id);
    if (!row) return undefined;
    const { createdAtMs, checksum, byteSize } = row;
    const key = objects && store.content(checksum)?.objectKey;
    if (key !== undefined) await objects?.fetch({ key, checksum, byteSize });
    return { asset: { id, accountId, createdAtMs, checksum, byteSize }, file: files.path(checksum) };
  }

  /** Stores the packages that were here before there was an object store. */
  async storeAll(): Promise<void> {
    const { store, files, objects, commit } = this.#options;
    if (!objects) return;
    for (const { checksum, byteSize } of store.unstored()) {
      if (!files.has(checksum)) continue;
      const key = await objects.put(files.path(checksum), checksum, byteSize);
      await commit(() => store.setObjectKey(checksum, key));
    }
  }

  /** Another edge has added or removed assets. */
  async follow(sizes: Iterable<HeldAsset>): Promise<void> {
    const { store, files, quota } = this.#options;
    quota.recount(sizes);
    await this.#inTurn(async () => void files.removeOrphans(new Set(store.checksums()), 'contents'));
  }

  /** Has those sent here that another process has; `undefined` where nothing is to be waited for. */
  fetchMissing({ accountId }: Owner, ids: readonly string[]): Promise<unknown> | undefined {
    const { store, elsewhere } = this.#options;
    const fetch = elsewhere?.fetch;
    if (!fetch) return undefined;
    const missing = ids.filter((id) => !store.identify(accountId, id));
    return missing.length === 0 ? undefined : Promise.all(missing.map((id) => fetch(accountId, id)));
  }

  /** Throws `asset_not_found`. */
  read(owner: Owner, id: string): AssetRecord {
    return toAssetRecord(this.#row(owner, id));
  }

  #row({ accountId }: Owner, id: string): AssetRow {
    const row = this.#options.store.get(accountId, id);
    if (!row) throw new ServiceError('asset_not_found');
    return row;
  }

  /** Newest first. */
  list({ accountId }: Owner, span: Span): Page<AssetSummary> {
    return mapPage(this.#options.store.list(accountId, span), toAssetSummary);
  }

  /** Throws `asset_not_found`, or `asset_in_use` while a live session has it installed. */
  async delete(owner: Owner, id: string): Promise<void> {
    const { store, quota, commit, elsewhere } = this.#options;
    const { accountId } = this.#row(owner, id);
    await elsewhere?.remove?.(accountId, id);
    let isCounted = false;
    // The row goes first, and for good: one that came back without its file would be a promise that cannot be kept.
    await commit(() => {
      const row = this.#row(owner, id);
      if (this.#uses.has(id)) throw new ServiceError('asset_in_use');
      const { objectKey } = store.content(row.checksum) ?? {};
      const { unusedChecksum } = store.remove(owner.accountId, id);
      if (!isCounted) quota.removed(row);
      isCounted = true;
      if (unusedChecksum === undefined) return;
      this.#unused.set(unusedChecksum, objectKey === undefined ? {} : { objectKey });
    });
    await this.#removeUnused();
  }

  /** Removes the files of contents that have no row any more, once that is on disk. */
  async #removeUnused(): Promise<void> {
    if (this.#unused.size === 0) return;
    await this.#inTurn(async () => {
      const { store, files, commit, objects } = this.#options;
      // From here to the end of the turn no upload brings one of them back.
      for (const checksum of this.#unused.keys()) if (store.content(checksum)) this.#unused.delete(checksum);
      const gone = [...this.#unused];
      await commit(() => undefined, 'at once');
      for (const [checksum, { objectKey }] of gone) {
        await files.remove(checksum);
        if (objectKey !== undefined) await objects?.remove(objectKey);
        this.#unused.delete(checksum);
      }
    });
  }

  /**
   * Reserves the apps that a session installs. Throws `asset_not_found` for an unknown id, and `invalid_session_request` for an app of
   * the other platform or a duplicate.
   */
  claim({ accountId }: Owner, platform: Platform, ids: readonly string[]): AssetClaim {
    const identifiers = new Map<string, number>();
    const checksums = ids.map((id, index): string => {
      const field = `"installAssets[${index}]"`;
      const content = this.#identify(accountId, platform, id, { field, code: 'invalid_session_request' });
      const earlier = identifiers.get(content.identifier);
      if (earlier !== undefined) {
        const message = `${field} is the same app as "installAssets[${earlier}]": ${content.identifier}.`;
        throw new ServiceError('invalid_session_request', message);
      }
      identifiers.set(content.identifier, index);
      return content.checksum;
    });
    return this.#hold(ids, checksums);
  }

  /**
   * Reserves an app that a running session installs. Throws `asset_not_found`, and `invalid_interaction` for an app of the other
   * platform.
   */
  claimOne({ accountId }: Owner, platform: Platform, id: string): AssetClaim {
    const { checksum } = this.#identify(accountId, platform, id, { field: '"asset"', code: 'invalid_interaction' });
    return this.#hold([id], [checksum]);
  }

  #identify(
    accountId: string,
    platform: Platform,
    id: string,
    { field, code }: { readonly field: string; readonly code: ErrorCode },
  ): NonNullable<ReturnType<AssetTable['identify']>> {
    const content = this.#options.store.identify(accountId, id);
    if (!content) throw new ServiceError('asset_not_found', `${field} names no asset.`);
    if (content.platform === platform) return content;
    throw new ServiceError(code, `${field} is an app for ${content.platform}; the session is for ${platform}.`);
  }

  #hold(ids: readonly string[], checksums: readonly string[]): AssetClaim {
    const { store, files } = this.#options;
    for (const id of ids) count(this.#uses, id, 1);
    let released = false;
    return {
      apps: () =>
        checksums.map((checksum) => {
          const content = store.content(checksum);
          if (!content) throw new Error(`the content ${checksum} of an asset in use has gone`);
          return toInstallable(content, files.path(checksum));
        }),
      release: () => {
        if (released) return;
        released = true;
        for (const id of ids) count(this.#uses, id, -1);
      },
    };
  }

  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(change);
    this.#turn = done.catch(() => undefined);
    return done;
  }
}

/** An upload that was accepted. */
export interface Upload {
  /**
   * Takes the body to its end. Throws `invalid_asset`, `asset_quota_exceeded`, `asset_capacity_unavailable`, and whatever the body throws; then
   * nothing is left of it.
   */
  take(body: AsyncIterable<Uint8Array>): Promise<AssetRecord>;
  end(): void;
}

function noRoom(): ServiceError {
  const message = 'There is not enough free disk space for this asset.';
  return new ServiceError('asset_capacity_unavailable', message, { retryAfterSeconds: 60 });
}

/** Maps the error of an upload to a `ServiceError`. */
function refusal(error: unknown): never {
  throw isDiskFull(error) ? noRoom() : error;
}

/** Entries that come to nothing are forgotten. */
function count(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const next = (counts.get(key) ?? 0) + change;
  if (next > 0) counts.set(key, next);
  else counts.delete(key);
}
