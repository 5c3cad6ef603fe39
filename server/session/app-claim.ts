import type { Platform } from '@runcloud/protocol';
import type { InstallableApp } from '../device/app-package.ts';
import type { Owner } from './session-record.ts';

/** Apps that a session holds from its creation until its end. */
export interface AppClaim {
  /** Reads what is to be known of them to install them, which takes much longer than to hold them. */
  apps(): readonly InstallableApp[];
  /** A second time does nothing. */
  release(): void;
}

/** Holds the uploaded apps of these ids. Throws `asset_not_found` and `invalid_session_request`. */
export type ClaimApps = (owner: Owner, platform: Platform, assetIds: readonly string[]) => AppClaim;
