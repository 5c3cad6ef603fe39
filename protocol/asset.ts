import { type Static, Type } from '@sinclair/typebox';
import { oneOf } from './compile-check.ts';
import { id, text, timestamp, whole } from './fields.ts';
import { NEXT } from './listing.ts';
import { PLATFORMS } from './platforms.ts';

const ASSET_FIELDS = {
  id: id('ast', 'Id of the app'),
  platform: oneOf(PLATFORMS, { description: 'Platform that the app is made for' }),
  name: text('The label under the icon', 'Shop'),
  identifier: text('Bundle identifier (iOS) or package name (Android)', 'com.example.shop'),
  version: text('Version that people see; empty if the package has none', '3.2.1'),
  byteSize: whole('Size of the uploaded file in bytes', 48_120_344),
  checksum: text(
    '"sha256:" and 64 hex digits of the uploaded file',
    'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ),
  createdAt: timestamp('When the upload was complete'),
};
const SCHEMES = { description: 'URL schemes that open the app, in lower case', examples: [['shop']] };

/** An uploaded app with the metadata of its package. */
export const AssetRecord = Type.Object(
  { ...ASSET_FIELDS, urlSchemes: Type.Array(Type.String(), SCHEMES) },
  { $id: 'Asset', additionalProperties: false, description: 'An uploaded app' },
);
export type AssetRecord = Static<typeof AssetRecord>;

/** An asset as an item of the list. */
export const AssetSummary = Type.Object(
  {
    ...ASSET_FIELDS,
    urlSchemes: Type.Optional(
      Type.Array(Type.String(), {
        ...SCHEMES,
        description: `${SCHEMES.description}; absent if they are too long for a list: read the app then`,
      }),
    ),
  },
  { $id: 'AssetSummary', additionalProperties: false, description: 'An uploaded app, as an item of the list' },
);
export type AssetSummary = Static<typeof AssetSummary>;

/** The account's assets, newest first. */
export const AssetList = Type.Object(
  { assets: Type.Array(AssetSummary, { description: 'Newest first' }), ...NEXT },
  { $id: 'AssetList', additionalProperties: false },
);
export type AssetList = Static<typeof AssetList>;

/** The answer to a deletion. */
export const DeletedAsset = Type.Object(
  { id: id('ast', 'Id of the app'), deleted: Type.Literal(true, { description: 'The app is deleted' }) },
  { $id: 'DeletedAsset', additionalProperties: false },
);
export type DeletedAsset = Static<typeof DeletedAsset>;

/** Media types of an upload; the header may be absent, since the service detects the type from the content. */
export const ASSET_MEDIA_TYPES = [
  'application/octet-stream',
  'application/zip',
  'application/vnd.android.package-archive',
] as const;
