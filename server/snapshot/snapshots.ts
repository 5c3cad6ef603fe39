import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SnapshotRecord } from '@runcloud/protocol';
import { LIMITS, newId, type Platform, ServiceError } from '@runcloud/protocol/terms';
import type { DeviceDescriptor, KeptFile, SnapshotSource } from '../device/driver.ts';
import type { Clock } from '../flow/clock.ts';
import { openOrExplain } from '../flow/open-error.ts';
import { mapPage, type Page, type Span } from '../flow/page.ts';
import type { Running } from '../flow/storage-errors.ts';
import { isoTimestamp } from '../flow/timestamp.ts';
import type { SnapshotRow, SnapshotTable } from '../store/snapshot-table.ts';

export interface SnapshotsOptions {
  readonly store: SnapshotTable;
  readonly folder: string;
  readonly clock: Clock;
  /** Runs what writes, and gives its outcome once that survives a power cut; see `Store.commit`. */
  readonly commit: <T>(write: () => T | Promise<T>, how?: Running) => Promise<T>;
}

interface Owner {
  readonly accountId: string;
}

/** The device of a session that is kept. */
export interface KeptDevice extends Owner {
  /** Id of the session. */
  readonly id: string;
  readonly platform: Platform;
  readonly descriptor: DeviceDescriptor;
}

/** A snapshot on its way. */
export interface NewSnapshot {
  /** Where a host is to write it. */
  readonly file: string;
  /** The host has written it; resolves when the snapshot survives a power cut. Throws `snapshot_quota_exceeded`. */
  keep(kept: KeptFile): Promise<SnapshotRecord>;
  /** It is not to be, unless it was kept. */
  end(): Promise<void>;
}

const FILE = /^(snp_[0-9A-Za-z]+)\.snapshot(?:\.part)?$/;

/** Kept states of devices, one file each. The snapshot of another account is unknown. */
export class Snapshots {
  readonly #options: SnapshotsOptions;
  /** Names of those on their way, by account. */
  readonly #coming = new Map<string, Set<string>>();

  /** Makes the folder where there is none. */
  constructor(options: SnapshotsOptions) {
    const { folder } = options;
    this.#options = options;
    openOrExplain(folder, () => mkdirSync(folder, { recursive: true, mode: 0o700 }));
  }

  #file(id: string): string {
    return join(this.#options.folder, `${id}.snapshot`);
  }

  /** Reserves a name. Throws `snapshot_exists` and `snapshot_quota_exceeded`. */
  begin(device: KeptDevice, name: string): NewSnapshot {
    const { store, clock, commit } = this.#options;
    const { accountId } = device;
    const coming = this.#coming.get(accountId) ?? new Set();
    if (coming.has(name) || store.get(accountId, name)) throw new ServiceError('snapshot_exists');
    if (store.held(accountId).count + coming.size >= LIMITS.snapshotsPerAccount) {
      const message = `The account may have ${LIMITS.snapshotsPerAccount} snapshots, and has them.`;
      throw new ServiceError('snapshot_quota_exceeded', message);
    }
    this.#coming.set(accountId, coming.add(name));
    const id = newId('snp');
    const file = this.#file(id);
    const { model, driver } = device.descriptor;
    let isKept = false;
    return {
      file,
      keep: async ({ byteSize, checksum, onlyOn = null }) => {
        const facts = { platform: device.platform, model, driver, onlyOn, sessionId: device.id, byteSize, checksum };
        const row = { id, accountId, name, ...facts, createdAtMs: Math.floor(clock.wallMs()) };
        // The file is there: a row without one would be a promise that cannot be kept.
        await commit(() => {
          const { bytes } = store.held(accountId);
          const most = LIMITS.snapshotBytesPerAccount;
          if (bytes + byteSize > most) {
            const message = `The account may have snapshots of ${most} bytes together, and has ${bytes}; this one has ${byteSize}.`;
            throw new ServiceError('snapshot_quota_exceeded', message);
          }
          store.insert(row);
        });
        isKept = true;
        return toRecord(row);
      },
      end: async () => {
        coming.delete(name);
        if (coming.size === 0 && this.#coming.get(accountId) === coming) this.#coming.delete(accountId);
        if (!isKept) await this.#removeFile(id);
      },
    };
  }

  /** Throws `snapshot_not_found`. */
  read(owner: Owner, name: string): SnapshotRecord {
    return toRecord(this.#row(owner, name));
  }

  #row({ accountId }: Owner, name: string): SnapshotRow {
    const row = this.#options.store.get(accountId, name);
    if (!row) throw new ServiceError('snapshot_not_found');
    return row;
  }

  /** Newest first. */
  list({ accountId }: Owner, span: Span): Page<SnapshotRecord> {
    return mapPage(this.#options.store.list(accountId, span), toRecord);
  }

  /** Throws `snapshot_not_found`. */
  async delete(owner: Owner, name: string): Promise<void> {
    const { store, commit } = this.#options;
    let id = '';
    // The row goes first, and for good.
    await commit(() => {
      id = this.#row(owner, name).id;
      store.remove(owner.accountId, id);
    });
    await this.#removeFile(id);
  }

  /**
   * What a session of a platform begins with. Throws `snapshot_not_found`, and `invalid_session_request` for a snapshot of another
   * platform or model.
   */
  start(owner: Owner, name: string, platform: Platform, model: string | undefined): SnapshotSource {
    const row = this.#row(owner, name);
    if (row.platform !== platform) {
      const message = `"snapshot" is of a device for ${row.platform}; the session is for ${platform}.`;
      throw new ServiceError('invalid_session_request', message);
    }
    if (model !== undefined && model !== row.model) {
      throw new ServiceError(
        'invalid_session_request',
        `"snapshot" is of the model ${row.model}, not of "deviceModel".`,
      );
    }
    const { checksum, driver, onlyOn } = row;
    return { name, file: this.#file(row.id), checksum, model: row.model, driver, onlyOn: onlyOn ?? undefined };
  }

  /** Removes files that belong to no snapshot, as a killed server leaves them; returns their number. */
  removeOrphans(): number {
    const { store, folder } = this.#options;
    const known = new Set(store.ids());
    let removed = 0;
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const id = FILE.exec(entry.name)?.[1];
      if (!entry.isFile() || id === undefined || (known.has(id) && !entry.name.endsWith('.part'))) continue;
      rmSync(join(folder, entry.name), { force: true });
      removed++;
    }
    return removed;
  }

  async #removeFile(id: string): Promise<void> {
    // What cannot be removed now is removed at the next start.
    await rm(this.#file(id), { force: true }).catch(() => undefined);
  }
}

function toRecord({
  name,
  platform,
  model,
  driver,
  sessionId,
  byteSize,
  checksum,
  createdAtMs,
}: SnapshotRow): SnapshotRecord {
  const facts = { name, platform, model, driver, sessionId, byteSize };
  return { ...facts, checksum: `sha256:${checksum}`, createdAt: isoTimestamp(createdAtMs) };
}
