import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { type ZipFile as OpenZip, type Options, fromBuffer as openBuffer } from 'yauzl';
import { ZipFile } from 'yazl';

const fromBuffer = promisify<Buffer, Options, OpenZip>(openBuffer);

export type Files = Readonly<Record<string, Buffer | string>>;

/** A sound archive of these files. Names that end with a slash are folders. */
export async function zip(files: Files, { compress = true } = {}): Promise<Buffer> {
  const archive = archiveOf(files, compress);
  archive.end();
  const parts: Buffer[] = [];
  for await (const part of archive.outputStream) parts.push(Buffer.from(part as Buffer));
  return Buffer.concat(parts);
}

/** The same with one more file of `zeros` bytes, as a stream: as large as a test likes, in little memory. */
export function bigZip(files: Files, zeros: number): Promise<{ readonly byteSize: number; readonly stream: Readable }> {
  const archive = archiveOf(files, false);
  archive.addReadStream(Readable.from(zerosOf(zeros)), 'zeros.bin', { compress: false, size: zeros });
  return new Promise((resolve) => {
    // The typings leave out that the size is told.
    const told = (byteSize?: number) =>
      resolve({ byteSize: byteSize ?? -1, stream: Readable.from(archive.outputStream) });
    archive.end({ forceZip64Format: false, comment: '' }, told);
  });
}

function archiveOf(files: Files, compress: boolean): ZipFile {
  const archive = new ZipFile();
  for (const [name, content] of Object.entries(files)) {
    if (name.endsWith('/')) archive.addEmptyDirectory(name);
    else archive.addBuffer(Buffer.from(content), name, { compress });
  }
  return archive;
}

function* zerosOf(bytes: number): Generator<Buffer> {
  const piece = Buffer.alloc(1 << 20);
  for (let left = bytes; left > 0; left -= piece.length) yield piece.subarray(0, Math.min(left, piece.length));
}

/** The content of an archive's files, by name. */
export async function entriesOf(archive: Buffer): Promise<Readonly<Record<string, string>>> {
  const zipFile = await fromBuffer(archive, { lazyEntries: false, autoClose: false });
  const entries: Record<string, string> = {};
  await new Promise<void>((resolve, reject) => {
    zipFile.on('entry', (entry) => {
      zipFile.openReadStream(entry, async (error, stream) => {
        if (error) return reject(error);
        const parts: Buffer[] = [];
        for await (const part of stream) parts.push(part as Buffer);
        entries[entry.fileName] = Buffer.concat(parts).toString('base64');
        if (Object.keys(entries).length === zipFile.entryCount) resolve();
      });
    });
    zipFile.once('error', reject);
  });
  return entries;
}
