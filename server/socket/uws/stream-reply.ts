import type { StreamBody } from '../http.ts';
import type { Responder } from './responder.ts';

/**
 * Streams a body of unknown length, in chunks (RFC 9112, section 7.1), with backpressure: the next piece is asked for when the
 * socket has taken the one before. Status and headers are already written. If a piece cannot be had, the connection is closed,
 * so that the client does not take the body for complete.
 */
export function sendStream(responder: Responder, stream: StreamBody): void {
  const { res } = responder;
  let open = true;
  let isHeldUp = false;
  const end = () => {
    if (open) stream.close();
    open = false;
  };
  responder.onGone(end);
  const next = () => {
    stream.next().then(
      (piece) => {
        if (!open) return;
        if (piece === undefined) {
          end();
          res.cork(() => void res.end());
          return;
        }
        res.cork(() => {
          isHeldUp = !res.write(piece);
        });
        if (!isHeldUp) next();
      },
      () => {
        if (open) res.close();
      },
    );
  };
  res.onWritable(() => {
    if (!open || !isHeldUp) return true;
    isHeldUp = false;
    next();
    return true;
  });
  next();
}
