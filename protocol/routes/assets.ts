import { ASSET_MEDIA_TYPES, AssetList, AssetRecord, DeletedAsset } from '../asset.ts';
import { LIMITS } from '../limits.ts';
import { checkListQuery, ListQuery } from '../listing.ts';
import { byKey, get, post, query, remove } from './parts.ts';
import type { Route } from './route.ts';

const ASSETS = '/service/assets';
const ASSET = `${ASSETS}/{assetId}` as const;

export const ASSET_ROUTES = {
  uploadAsset: {
    ...post(ASSETS, 'Upload an app: .apk, .ipa or a zipped .app', 'at once'),
    description:
      'The body is the file itself, at most 2 GiB. It is read before the answer: an app that could not be installed ' +
      'is refused with `invalid_asset` and the reason. Install it with `installAssets` of a new session, or with the action `installApp`.',
    ...byKey('account'),
    body: { kind: 'stream', mediaTypes: ASSET_MEDIA_TYPES, bytesMax: LIMITS.assetBytes },
    answers: { 201: { description: 'The app, with the metadata of its package', schema: AssetRecord } },
  },
  listAssets: {
    ...get(ASSETS, 'List uploaded apps, newest first'),
    description: 'An app with very long `urlSchemes` is listed without them; read the app itself to get them.',
    ...byKey('account'),
    query: query(ListQuery, checkListQuery, 'invalid_asset'),
    answers: { 200: { description: "The account's apps", schema: AssetList } },
  },
  getAsset: {
    ...get(ASSET, 'Read an uploaded app'),
    description: 'The metadata comes from the package.',
    ...byKey('account'),
    answers: { 200: { description: 'The app', schema: AssetRecord } },
  },
  deleteAsset: {
    ...remove(ASSET, 'Delete an uploaded app that no active session uses', 'at once'),
    description: 'Answers 409 `asset_in_use` while a session has the app.',
    ...byKey('account'),
    answers: { 200: { description: 'The app is deleted', schema: DeletedAsset } },
  },
} as const satisfies Record<string, Route>;
