import { ROUTES, ServiceError } from '@runcloud/protocol';
import type { TakeBody } from '../socket/http.ts';
import { BodyCutOff } from '../socket/streamed-body.ts';
import type { CallTo } from './call.ts';
import { answerList } from './listing.ts';
import { json } from './reply.ts';
import type { Services } from './services.ts';

/**
 * `POST /service/assets`: reads the body as a stream; its type is detected from the content, never from a name. Returns the
 * function that admits the body or throws.
 */
export function uploadAsset({ head, owner }: CallTo<'uploadAsset'>, { assets }: Services): () => TakeBody {
  const length = head.header('content-length');
  if (length === '0') throw new ServiceError('invalid_asset', 'The body is empty.');
  return () => {
    const upload = assets.admit(owner, Number(length ?? 0));
    return async (body) => {
      try {
        return json(201, await upload.take(body));
      } catch (error) {
        // The caller has disconnected; this is not an internal error.
        if (error instanceof BodyCutOff) throw new ServiceError('invalid_asset', 'The body ended early.');
        throw error;
      } finally {
        upload.end();
      }
    };
  };
}

export function listAssets(call: CallTo<'listAssets'>, { assets, cursors }: Services) {
  const { owner } = call;
  return answerList('assets', ROUTES.listAssets, call, cursors, owner.accountId, (span) => assets.list(owner, span));
}

export function getAsset({ owner, params }: CallTo<'getAsset'>, { assets }: Services) {
  return json(200, assets.read(owner, params.assetId));
}

export async function deleteAsset({ owner, params: { assetId: id } }: CallTo<'deleteAsset'>, { assets }: Services) {
  await assets.delete(owner, id);
  return json(200, { id, deleted: true } as const);
}
