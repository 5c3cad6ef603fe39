import type { Platform } from '@runcloud/protocol';
import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import type { InstallableApp } from '../device/app-package.ts';
import type { Owner } from './session-record.ts';

/** Apps that a session holds from its creation until its end. */
export interface AppClaim {
  /** Reads the data needed to install the apps, which takes much longer than reserving them. */
  apps(): readonly InstallableApp[];
  /** Releases the apps; idempotent. */
  release(): void;
}

/** Reserves the uploaded apps with these ids. Throws `asset_not_found` and `invalid_session_request`. */
export type ClaimApps = (owner: Owner, platform: Platform, assetIds: readonly string[]) => AppClaim;

/** Reserves one for a session that runs. Throws `asset_not_found` and `invalid_interaction`. */
export type ClaimOneApp = (owner: Pick<Owner, 'accountId'>, platform: Platform, assetId: string) => AppClaim;

/** The apps that one session holds, from those of its creation on. */
export class HeldApps {
  readonly #first: AppClaim;
  readonly #later = new Map<string, AppClaim>();
  readonly #firstCount: number;

  constructor(first: AppClaim, firstCount: number) {
    this.#first = first;
    this.#firstCount = firstCount;
  }

  /** Holds another app, once however often it is installed, and reads it. Throws `invalid_interaction` for one too many. */
  add(assetId: string, claim: () => AppClaim): InstallableApp {
    const known = this.#later.get(assetId);
    const most = LIMITS.sessionInstallAssets;
    if (!known && this.#firstCount + this.#later.size >= most) {
      throw new ServiceError('invalid_interaction', `A session has ${most} uploaded apps at most.`);
    }
    const held = known ?? claim();
    this.#later.set(assetId, held);
    const [app] = held.apps();
    if (!app) throw new Error(`the claim of ${assetId} has no app`);
    return app;
  }

  release(): void {
    for (const claim of [this.#first, ...this.#later.values()]) claim.release();
  }
}
