import type { FileBody } from '../http.ts';
import type { Responder } from './responder.ts';

/** Memory of one download, and the longest piece that is copied to a socket at once. */
const CHUNK_BYTES = 65_536;

/** The library counts written bytes in 32 bits. */
const OFFSET_RANGE = 2 ** 32;

/**
 * Streams a file as the body with backpressure. Status and headers are already written, except `Content-Length`. If the file
 * ends early or cannot be read, the connection is closed, so that the client does not take the file for complete.
 */
export function sendFile(responder: Responder, file: FileBody): void {
  const { res } = responder;
  let open = true;
  const end = () => {
    if (open) file.close();
    open = false;
  };
  responder.onGone(end);
  if (file.byteLength === 0) {
    end();
    res.end();
    return;
  }
  const chunk = new Uint8Array(CHUNK_BYTES);
  /** The rest of the chunk that the socket has not taken yet. */
  let rest = chunk.subarray(0, 0);
  let restFrom = 0;
  let sent = 0;

  const write = (): boolean => {
    restFrom = res.getWriteOffset();
    const [taken, done] = res.tryEnd(rest, file.byteLength);
    if (done) end();
    else if (taken) {
      sent += rest.byteLength;
      next();
    }
    return taken;
  };
  const next = () => {
    file.read(chunk.subarray(0, Math.min(CHUNK_BYTES, file.byteLength - sent)), sent).then(
      (count) => {
        if (!open) return;
        if (count === 0) return void res.close();
        rest = chunk.subarray(0, count);
        res.cork(write);
      },
      () => {
        if (open) res.close();
      },
    );
  };
  res.onWritable((offset) => {
    if (!open) return true;
    const taken = (((offset - restFrom) % OFFSET_RANGE) + OFFSET_RANGE) % OFFSET_RANGE;
    sent += taken;
    rest = rest.subarray(taken);
    return write();
  });
  next();
}
