import type { Responder } from './responder.ts';

/** Bytes of an open file. Reading is off this thread; nothing is read before the client has taken what came before. */
export interface FileBody {
  /** How many bytes the body has. */
  readonly byteLength: number;
  /** Fills `into` from `offset` of the body on, and tells how many bytes it has put there: 0 only past the end. */
  read(into: Uint8Array, offset: number): Promise<number>;
  /** Gives the file back; called once, whatever becomes of the exchange. */
  close(): void;
}

/** What one download holds in memory, and the longest piece that this thread copies to a socket at once. */
const CHUNK_BYTES = 65_536;

/** The library counts in 32 bits what has been written. */
const OFFSET_RANGE = 2 ** 32;

/**
 * Sends a file as the body, piece by piece, at the client's pace. Status and headers are written already, but for
 * `Content-Length`. A file that ends early or cannot be read ends the connection: the client must not take it for whole.
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
  /** What the socket has not taken yet of the chunk. */
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
