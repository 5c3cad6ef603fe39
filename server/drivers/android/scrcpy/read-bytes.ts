import type { BufferedReadableStream } from '@yume-chan/stream-extra';

/** The next bytes of a stream, in the memory that they came in. Rejects when the stream ends before. */
export async function readBytes(stream: BufferedReadableStream, length: number): Promise<Buffer> {
  const { buffer, byteOffset } = await stream.readExactly(length);
  return Buffer.from(buffer, byteOffset, length);
}
