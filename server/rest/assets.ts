import { ASSET_MEDIA_TYPES, checkListQuery, type DeletedAsset, ListQuery, ServiceError } from '@runcloud/protocol';
import type { Assets } from '../asset/assets.ts';
import type { Cursors } from '../flow/cursors.ts';
import type { HttpReply, TakeBody } from '../socket/http.ts';
import { BodyCutOff } from '../socket/streamed-body.ts';
import type { Call } from './call.ts';
import { answerList } from './listing.ts';
import { json } from './reply.ts';

/**
 * `POST /service/assets`: takes the body piece by piece; what it is comes from the content, never from a name. What is
 * returned lets the body in, or throws.
 */
export function uploadAsset(call: Call, assets: Assets): () => TakeBody {
  const mediaType = call.head.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType !== undefined && !ASSET_MEDIA_TYPES.some((allowed) => allowed === mediaType)) {
    const message = `The body must be ${ASSET_MEDIA_TYPES.join(', ')}, or have no Content-Type at all.`;
    throw new ServiceError('unsupported_media_type', message);
  }
  const length = call.head.header('content-length');
  if (length === '0') throw new ServiceError('invalid_asset', 'The body is empty.');
  return () => {
    const upload = assets.admit(call.owner, Number(length ?? 0));
    return async (body) => {
      try {
        return json(201, await upload.take(body));
      } catch (error) {
        // Nobody is there to hear it; it is no fault of ours either.
        if (error instanceof BodyCutOff) throw new ServiceError('invalid_asset', 'The body ended early.');
        throw error;
      } finally {
        upload.end();
      }
    };
  };
}

const ASSETS = {
  name: 'assets',
  fields: Object.keys(ListQuery.properties),
  check: checkListQuery,
  code: 'invalid_asset',
} as const;

export function listAssets(call: Call, assets: Assets, cursors: Cursors): HttpReply {
  const { owner } = call;
  return answerList(ASSETS, call, cursors, owner.accountId, (span) => assets.list(owner, span));
}

export function getAsset({ owner, params }: Call, assets: Assets): HttpReply {
  return json(200, assets.read(owner, params.assetId ?? ''));
}

export async function deleteAsset({ owner, params }: Call, assets: Assets): Promise<HttpReply> {
  const { assetId: id = '' } = params;
  await assets.delete(owner, id);
  const deleted: DeletedAsset = { id, deleted: true };
  return json(200, deleted);
}
