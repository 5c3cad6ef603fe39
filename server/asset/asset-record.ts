import type { AssetRecord, AssetSummary } from '@runcloud/protocol';
import { type AppPackage, type InstallableApp, urlSchemesOf } from '../device/app-package.ts';
import { isoTimestamp } from '../flow/timestamp.ts';
import type { AssetContentRow, AssetRow, ListedAssetRow } from '../store/asset-row.ts';

/** An asset as clients see it. */
export const toAssetRecord = (row: AssetRow): AssetRecord => ({
  ...toAssetSummary(row),
  urlSchemes: [...row.urlSchemes],
});

/** An asset as an item of a list. */
export function toAssetSummary(row: ListedAssetRow): AssetSummary {
  const { id, platform, name, identifier, version, byteSize, checksum, urlSchemes, createdAtMs } = row;
  return {
    id,
    platform,
    name,
    identifier,
    version,
    byteSize,
    checksum: `sha256:${checksum}`,
    ...(urlSchemes === undefined ? {} : { urlSchemes: [...urlSchemes] }),
    createdAt: isoTimestamp(createdAtMs),
  };
}

export function toContentRow(checksum: string, byteSize: number, app: AppPackage): AssetContentRow {
  const { icon, ...description } = app;
  const { platform, identifier, name, version } = app;
  return {
    checksum,
    byteSize,
    platform,
    identifier,
    name,
    version,
    urlSchemes: urlSchemesOf(app),
    description: JSON.stringify(description),
    ...(icon ? { icon } : {}),
  };
}

export function toInstallable({ description, icon }: AssetContentRow, file: string): InstallableApp {
  const app = JSON.parse(description) as AppPackage;
  // SQLite's own memory does not cross to another thread.
  return { app: icon ? { ...app, icon: new Uint8Array(icon) } : app, file };
}
