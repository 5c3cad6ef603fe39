import type { Responder } from './responder.ts';

/** Taken by the library for the length of the body that it is given. */
const WHOLE = 0;

/**
 * Sends a body that is in memory; status and headers are written already. What the socket does not take waits here for
 * the client to read, and the library ends a connection that asks for more meanwhile: answers that nobody reads do not
 * pile up. The library's own call for whole bodies would copy them without a bound, and loses the body where the head
 * did not fit the socket.
 */
export function sendBytes(responder: Responder, body: string | Uint8Array): void {
  const { res } = responder;
  const [, done] = res.tryEnd(body, WHOLE);
  if (done) return;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  let open = true;
  const end = () => {
    open = false;
  };
  responder.onGone(end);
  res.onWritable((offset) => {
    if (!open) return true;
    const [taken, isWhole] = res.tryEnd(bytes.subarray(offset), bytes.byteLength);
    if (isWhole) end();
    return taken;
  });
}
