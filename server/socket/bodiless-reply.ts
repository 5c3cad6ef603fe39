import type { Responder } from './responder.ts';

/** One in so many of these answers is the last one of its connection. */
const LAST_ONE_IN = 32;
/** A client that was told that its connection ends closes it by itself within this time, or finds it closed. */
const CLOSING_MS = 100;

/**
 * Ends an answer that has no body; status and headers are written already. The library copies such an answer without a bound,
 * and tells neither of a client that does not read, nor which connection it is. So every now and then, by chance, one of them
 * says `Connection: close`, and for the library its body is still to come: the next request ends the connection at once, whatever
 * waits there. A client that asks and does not read is held to some dozens of answers, and cannot know which is the last.
 * @param bodyBytes the length of the body that is left out
 * @param isTold whether the client is told this length in any case
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
