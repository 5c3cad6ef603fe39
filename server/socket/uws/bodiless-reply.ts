import type { Responder } from './responder.ts';

/** On average one of this many answers is the last one of its connection. */
const LAST_ONE_IN = 32;
/** Time for a client to close its connection after `Connection: close`, before the server closes it. */
const CLOSING_MS = 100;

/**
 * Ends an answer without a body; status and headers are already written. The library buffers such answers without a bound, and
 * reports neither that the client does not read nor which connection it is. So a random one of them says `Connection: close`,
 * and stays unfinished for the library: the next request then ends the connection at once. This limits a client that does not
 * read to a few dozen buffered answers; it cannot predict which is the last.
 * @param bodyBytes length of the omitted body
 * @param isTold whether the answer has a Content-Length in any case
 */
export function endWithoutBody(responder: Responder, bodyBytes: number, isTold: boolean): void {
  const { res } = responder;
  if (bodyBytes === 0 || Math.random() * LAST_ONE_IN >= 1) {
    if (isTold) res.writeHeader('Content-Length', String(bodyBytes));
    res.endWithoutBody();
    return;
  }
  res.writeHeader('Connection', 'close');
  res.tryEnd('', bodyBytes);
  const closing = setTimeout(() => res.close(), CLOSING_MS);
  responder.onGone(() => clearTimeout(closing));
}
