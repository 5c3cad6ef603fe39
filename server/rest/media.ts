import {
  type Acknowledgement,
  type AddedMedia,
  MEDIA_EXTENSIONS,
  MEDIA_TYPES,
  newId,
  ServiceError,
} from '@runcloud/protocol';
import { mediaTypeOf } from '../asset/media-type.ts';
import { addMedia as add, checkTakesMedia } from '../session/media.ts';
import type { TakeBody } from '../socket/http.ts';
import { BodyCutOff } from '../socket/streamed-body.ts';
import type { CallTo } from './call.ts';
import { senderOf } from './control.ts';
import { acknowledgementReply, json } from './reply.ts';
import type { Services } from './services.ts';

/** `POST .../media`: reads the body as a stream, then adds it to the photo library in its turn. */
export function addMedia(call: CallTo<'addMedia'>, services: Services): () => TakeBody {
  const { head, owner, named, session } = call;
  checkTakesMedia(session);
  const length = head.header('content-length');
  if (length === '0') throw new ServiceError('invalid_request', 'The body is empty.');
  const requestId = newId('req');
  named.requestId = requestId;
  return () => {
    const transfer = services.transfers.admit(owner.accountId, Number(length ?? 0));
    return async (body) => {
      try {
        return await transfer.take(body, async ({ file, byteSize, head: first }) => {
          const mediaType = mediaTypeOf(first);
          if (!mediaType) {
            throw new ServiceError('invalid_request', `The body is none of these: ${MEDIA_TYPES.join(', ')}.`);
          }
          const name = `runcloud-${newId('req').slice(4, 14)}.${MEDIA_EXTENSIONS[mediaType]}`;
          const media = { name, mediaType, byteSize };
          const settled = await new Promise<Acknowledgement>((resolve) => {
            add(session, { requestId, media, file }, { ...senderOf(call, services), settled: resolve });
          });
          return settled.ok ? json(201, settled.result as AddedMedia) : acknowledgementReply(settled);
        });
      } catch (error) {
        // The caller has disconnected; this is not an internal error.
        if (error instanceof BodyCutOff) throw new ServiceError('invalid_request', 'The body ended early.');
        throw error;
      } finally {
        transfer.end();
      }
    };
  };
}
