import type { BufferedReadableStream } from '@yume-chan/stream-extra';
import { readBytes } from './read-bytes.ts';

/** Types of the messages that scrcpy's server sends on its control socket, in the form of versions 3 and 4. */
const CLIPBOARD = 0;
const ACK_CLIPBOARD = 1;
const UHID_OUTPUT = 2;

/** The server cuts a longer text off. */
const CLIPBOARD_BYTES_MAX = 262_139;

/**
 * The texts of the clipboards that scrcpy's server sends, until the stream of its messages ends, which is an error. Throws a
 * `RangeError` for bytes that are no messages, before anything is kept for them.
 */
export async function* readClipboards(stream: BufferedReadableStream): AsyncGenerator<string, never> {
  for (;;) {
    const type = (await readBytes(stream, 1)).readUInt8(0);
    if (type === CLIPBOARD) {
      const length = (await readBytes(stream, 4)).readUInt32BE(0);
      if (length > CLIPBOARD_BYTES_MAX) throw new RangeError(`a clipboard of ${length} bytes`);
      yield (await readBytes(stream, length)).toString();
    } else if (type === ACK_CLIPBOARD) await readBytes(stream, 8);
    else if (type === UHID_OUTPUT) await readBytes(stream, (await readBytes(stream, 4)).readUInt16BE(2));
    else throw new RangeError(`a message of type ${type}`);
  }
}
