import type { Platform } from '@runcloud/protocol';
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
