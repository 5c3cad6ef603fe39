import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

export type Files = Readonly<Record<string, Buffer | string>>;

/** A sound archive of these files. Names that end with a slash are folders. */
export async function zip(files: Files, { compress = true } = {}): Promise<Buffer> {
  const parts: Buffer[] = [];
  const archive = archiveOf(files, compress);
  for await (const part of archive.outputStream) parts.push(Buffer.from(part as Buffer));
  return Buffer.concat(parts);
}

/** The same, to a file, with one more stored file of `bytes` zeros: as large as a test likes, in little memory. */
export async function zipToFile(path: string, files: Files, bytes: number): Promise<void> {
  const archive = archiveOf(files, true, async function* zeros() {
    const piece = Buffer.alloc(1 << 20);
    for (let left = bytes; left > 0; left -= piece.length) yield piece.subarray(0, Math.min(left, piece.length));
  });
  await finished(archive.outputStream.pipe(createWriteStream(path)));
}

function archiveOf(files: Files, compress: boolean, zeros?: () => AsyncGenerator<Buffer>): ZipFile {
  const archive = new ZipFile();
  for (const [name, content] of Object.entries(files)) {
    if (name.endsWith('/')) archive.addEmptyDirectory(name);
    else archive.addBuffer(Buffer.from(content), name, { compress });
  }
  if (zeros) archive.addReadStream(Readable.from(zeros()), 'zeros.bin', { compress: false });
  archive.end();
  return archive;
}
