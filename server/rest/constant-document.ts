import type { HttpReply } from '../socket/http.ts';

/**
 * A document that is the same for all who ask, made and written down when the first one does: anybody may ask, and each
 * making would hold up everybody's sockets.
 *
 * @param make called once, when all that the document says is known
 */
export function constantDocument(make: () => object): () => HttpReply {
  let reply: HttpReply | undefined;
  return () => {
    reply ??= {
      status: 200,
      headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
      body: Buffer.from(JSON.stringify(make())),
    };
    return reply;
  };
}
