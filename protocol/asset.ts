import { type Static, Type } from '@sinclair/typebox';
import { Timestamp } from './acknowledgement.ts';
import { oneOf } from './compile-check.ts';
import { NEXT } from './listing.ts';
import { PLATFORMS } from './platforms.ts';

const ASSET_FIELDS = {
  id: Type.String(),
  platform: oneOf(PLATFORMS),
  name: Type.String({ description: 'The label under the icon' }),
  identifier: Type.String({ description: 'Bundle identifier (iOS) or package name (Android)' }),
  version: Type.String({ description: 'Empty if the package has none' }),
  byteSize: Type.Integer(),
  checksum: Type.String({ description: '"sha256:" and 64 hex digits' }),
  urlSchemes: Type.Array(Type.String(), { description: 'Schemes that open the app, in lower case' }),
  createdAt: Timestamp,
};

/** An uploaded app with the metadata of its package. */
export const AssetRecord = Type.Object(ASSET_FIELDS, { $id: 'Asset', additionalProperties: false });
export type AssetRecord = Static<typeof AssetRecord>;

/** An asset as an item of the list. */
export const AssetSummary = Type.Object(
  {
    ...ASSET_FIELDS,
    urlSchemes: Type.Optional(
      Type.Array(Type.String(), { description: 'As in the asset; absent if they are too long for a list' }),
    ),
  },
  { $id: 'AssetSummary', additionalProperties: false },
);
export type AssetSummary = Static<typeof AssetSummary>;

/** The account's assets, newest first. */
export const AssetList = Type.Object(
  { assets: Type.Array(AssetSummary), ...NEXT },
  { $id: 'AssetList', additionalProperties: false },
);
export type AssetList = Static<typeof AssetList>;

/** The answer to a deletion. */
export const DeletedAsset = Type.Object(
  { id: Type.String(), deleted: Type.Literal(true) },
  { $id: 'DeletedAsset', additionalProperties: false },
);
export type DeletedAsset = Static<typeof DeletedAsset>;

/** Media types of an upload; the header may be absent, since the service detects the type from the content. */
export const ASSET_MEDIA_TYPES = [
  'application/octet-stream',
  'application/zip',
  'application/vnd.android.package-archive',
] as const;
