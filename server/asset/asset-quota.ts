import { ServiceError } from '@runcloud/protocol/terms';

export interface QuotaBounds {
  readonly assets: number;
  readonly bytes: number;
}

/** The cost of an asset for its account and for the service. */
export interface HeldAsset {
  readonly accountId: string;
  /** Assets of the same content have its bytes once: in an account, and in the service. */
  readonly checksum: string;
  readonly byteSize: number;
}

/** Room for an upload on its way. It counts like an asset until it is given back. */
export interface Reservation {
  /** Changes the reservation to a new total. Throws like `AssetQuota.reserve`, and then keeps the old reservation. */
  cover(bytes: number): void;
  /** Releases the reservation; idempotent. */
  release(): void;
}

/**
 * Quotas of uploads, per account and in total. Running uploads reserve their announced or received bytes, so that concurrent
 * uploads share the rest. The stored totals are passed in; only reservations are kept here.
 */
export class AssetQuota {
  readonly #ofAccount: QuotaBounds;
  readonly #inAll: QuotaBounds;
  readonly #accounts = new Map<string, Holding>();
  readonly #all = new Holding();

  constructor(ofAccount: QuotaBounds, inAll: QuotaBounds, held: Iterable<HeldAsset> = []) {
    this.#ofAccount = ofAccount;
    this.#inAll = inAll;
    for (const asset of held) this.added(asset);
  }

  /**
   * Holds one asset of so many bytes. Throws `asset_quota_exceeded` where the account would have more than it may, and
   * `asset_capacity_unavailable` where all of them would.
   */
  reserve(accountId: string, bytes: number): Reservation {
    let reserved = 0;
    let held = false;
    let over = false;
    const hold = (total: number) => {
      const more = total - reserved;
      if (over || (more <= 0 && held)) return;
      const assets = held ? 0 : 1;
      this.#refusePast(accountId, assets, more);
      for (const holding of this.#holdings(accountId)) holding.reserve(assets, more);
      held = true;
      reserved = total;
    };
    hold(bytes);
    return {
      cover: hold,
      release: () => {
        if (over) return;
        over = true;
        for (const holding of this.#holdings(accountId)) holding.reserve(-1, -reserved);
        this.#forget(accountId);
      },
    };
  }

  added(asset: HeldAsset): void {
    for (const holding of this.#holdings(asset.accountId)) holding.add(asset);
  }

  removed(asset: HeldAsset): void {
    for (const holding of this.#holdings(asset.accountId)) holding.remove(asset);
    this.#forget(asset.accountId);
  }

  /** Takes over what there is, where another process has added or removed assets; reservations stay. */
  recount(held: Iterable<HeldAsset>): void {
    for (const holding of [...this.#accounts.values(), this.#all]) holding.clear();
    for (const asset of held) this.added(asset);
    for (const accountId of [...this.#accounts.keys()]) this.#forget(accountId);
  }

  #refusePast(accountId: string, assets: number, bytes: number): void {
    const [own] = this.#holdings(accountId);
    const { assets: assetsMax, bytes: bytesMax } = this.#ofAccount;
    const has = `The account may have ${assetsMax} assets of ${bytesMax} bytes together, and has ${own.assets} of ${own.bytes}`;
    if (!own.fits(this.#ofAccount, assets, bytes)) {
      this.#forget(accountId);
      throw new ServiceError('asset_quota_exceeded', `${has}, including uploads in progress.`);
    }
    if (this.#all.fits(this.#inAll, assets, bytes)) return;
    this.#forget(accountId);
    const message = 'All accounts together have reached the maximum number of assets.';
    throw new ServiceError('asset_capacity_unavailable', message, { retryAfterSeconds: 60 });
  }

  #holdings(accountId: string): [own: Holding, all: Holding] {
    let own = this.#accounts.get(accountId);
    if (!own) {
      own = new Holding();
      this.#accounts.set(accountId, own);
    }
    return [own, this.#all];
  }

  #forget(accountId: string): void {
    if (this.#accounts.get(accountId)?.assets === 0) this.#accounts.delete(accountId);
  }
}

/** Stored and reserved amounts. */
class Holding {
  assets = 0;
  bytes = 0;
  /** The assets of each content: how many they are, and its size. */
  readonly #contents = new Map<string, { count: number; readonly byteSize: number }>();

  fits(bounds: QuotaBounds, assets: number, bytes: number): boolean {
    return this.assets + assets <= bounds.assets && this.bytes + bytes <= bounds.bytes;
  }

  reserve(assets: number, bytes: number): void {
    this.assets += assets;
    this.bytes += bytes;
  }

  add({ checksum, byteSize }: HeldAsset): void {
    const content = this.#contents.get(checksum);
    if (content) content.count++;
    else this.#contents.set(checksum, { count: 1, byteSize });
    this.reserve(1, content ? 0 : byteSize);
  }

  remove({ checksum, byteSize }: HeldAsset): void {
    const content = this.#contents.get(checksum);
    if (!content) return;
    content.count--;
    if (content.count === 0) this.#contents.delete(checksum);
    this.reserve(-1, content.count === 0 ? -byteSize : 0);
  }

  /** Leaves what is reserved. */
  clear(): void {
    for (const { count, byteSize } of this.#contents.values()) this.reserve(-count, -byteSize);
    this.#contents.clear();
  }
}
