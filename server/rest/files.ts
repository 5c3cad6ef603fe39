import type { FileHandle } from 'node:fs/promises';
import {
  type Acknowledgement,
  type DeletedFile,
  type FileList,
  type FilePlace,
  newId,
  type PushedFile,
  ServiceError,
} from '@runcloud/protocol';
import type { RequestObserver } from '../interaction/request.ts';
import { accessFiles, checkHasFiles, type FileOrder } from '../session/files.ts';
import { dropBody, type HttpReply, type TakeBody } from '../socket/http.ts';
import { BodyCutOff } from '../socket/streamed-body.ts';
import type { CallTo } from './call.ts';
import { senderOf } from './control.ts';
import { originOf } from './origin.ts';
import { acknowledgementReply, type FailureReply, json } from './reply.ts';
import type { Services } from './services.ts';

type AnyCall = Pick<CallTo<'listFiles'>, 'named' | 'session' | 'owner'>;
type Sender = Omit<RequestObserver, 'settled'>;

/** `GET .../files`: what is in a folder of the device. */
export async function listFiles(call: CallTo<'listFiles'>) {
  const settled = await order(call, { verb: 'list', ...placeOf(call.query) }, readerOf(call));
  return settled.ok ? json(200, settled.result as FileList) : failed(settled);
}

/** `GET .../files/content`: the bytes of a file of the device, once all of them are here. */
export async function pullFile(call: CallTo<'pullFile'>, services: Services): Promise<HttpReply> {
  checkHasFiles(call.session);
  const transfer = services.transfers.admit(call.owner.accountId, 0);
  try {
    let settled: Acknowledgement | undefined;
    const handle = await transfer.bring(async (into) => {
      settled = await order(call, { verb: 'pull', ...placeOf(call.query), into }, readerOf(call));
    });
    const reply = replyOf(handle, (await handle.stat()).size, () => transfer.end());
    if (settled?.ok) return reply;
    dropBody(reply);
    return failed(settled as unknown as Acknowledgement);
  } catch (error) {
    transfer.end();
    throw error;
  }
}

/** `PUT .../files/content`: reads the body as a stream, then writes it to the device in its turn. */
export function pushFile(call: CallTo<'pushFile'>, services: Services): () => TakeBody {
  const { head, owner, session } = call;
  checkHasFiles(session);
  return () => {
    const transfer = services.transfers.admit(owner.accountId, Number(head.header('content-length') ?? 0));
    return async (body) => {
      try {
        return await transfer.take(body, async ({ file, byteSize }) => {
          const push = { verb: 'push', ...placeOf(call.query), file, byteSize } as const;
          const settled = await order(call, push, senderOf(call, services));
          return settled.ok ? json(200, settled.result as PushedFile) : failed(settled);
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

/** `DELETE .../files`. */
export async function deleteFile(call: CallTo<'deleteFile'>, services: Services) {
  const settled = await order(call, { verb: 'delete', ...placeOf(call.query) }, senderOf(call, services));
  return settled.ok ? json(200, settled.result as DeletedFile) : failed(settled);
}

function order({ named, session }: AnyCall, asked: FileOrder, sender: Sender): Promise<Acknowledgement> {
  const requestId = newId('req');
  named.requestId = requestId;
  return new Promise((resolve) => accessFiles(session, { requestId, order: asked }, { ...sender, settled: resolve }));
}

const placeOf = ({ root, path }: FilePlace): FilePlace => ({ root, path });

const readerOf = ({ session, owner }: AnyCall): Sender => ({ origin: originOf(session, owner) });

const failed = (acknowledgement: Acknowledgement) => acknowledgementReply(acknowledgement) as FailureReply;

function replyOf(handle: FileHandle, byteLength: number, onClosed: () => void): HttpReply {
  return {
    status: 200,
    headers: {
      'Content-Type': 'application/octet-stream',
      'Cache-Control': 'no-store',
      // A browser must not execute anything in the file, even if it misdetects its type.
      'Content-Disposition': 'attachment',
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': 'sandbox',
    },
    body: '',
    file: {
      byteLength,
      read: async (into, offset) => (await handle.read(into, 0, into.byteLength, offset)).bytesRead,
      close: () => {
        onClosed();
        void handle.close().catch(() => undefined);
      },
    },
  };
}
