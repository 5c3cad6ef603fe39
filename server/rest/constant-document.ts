import type { HttpReply } from '../socket/http.ts';

/**
 * A document that is the same for all callers, built and serialized on the first request: it needs no credential, and building
 * it each time would delay the sockets.
 *
 * @param make called once, on the first request
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
