import { type FileHandle, open } from 'node:fs/promises';

const HEADER_BYTES = 8;
const LONG_HEADER_BYTES = 16;
/** The index of a fragment of a quarter of a second has some hundred bytes; a larger one is damaged. */
const INDEX_BYTES_MAX = 4 * 1024 * 1024;
/** Boxes in a part file's fragments that contain other boxes (ISO/IEC 14496-12). */
const PARENTS: readonly string[] = ['moof', 'traf'];

/**
 * The number of bytes of a part file that can be read: those before the first truncated or damaged box. A truncated `mdat`
 * box still counts as far as it goes. A reader that met half an index would reject the whole file.
 */
export async function readableBytes(file: string): Promise<number> {
  const handle = await open(file, 'r');
  try {
    const { size: fileBytes } = await handle.stat();
    let at = 0;
    while (at < fileBytes) {
      const box = await readHeader(handle, at);
      if (!box) return at;
      const end = at + box.bytes;
      if (box.type === 'mdat') {
        if (end >= fileBytes) return fileBytes;
      } else if (end > fileBytes || !(await isWhole(handle, box, at))) return at;
      at = end;
    }
    return at;
  } finally {
    await handle.close();
  }
}

interface Box {
  readonly type: string;
  /** Including its header. */
  readonly bytes: number;
}

async function readHeader(handle: FileHandle, at: number): Promise<Box | undefined> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(LONG_HEADER_BYTES), 0, LONG_HEADER_BYTES, at);
  return parseHeader(buffer.subarray(0, bytesRead));
}

function parseHeader(bytes: Buffer): Box | undefined {
  if (bytes.length < HEADER_BYTES) return undefined;
  const short = bytes.readUInt32BE(0);
  const type = bytes.toString('latin1', 4, HEADER_BYTES);
  if (short >= HEADER_BYTES) return { type, bytes: short };
  // A size of 1 means that the real, 64-bit size follows the type.
  if (short !== 1 || bytes.length < LONG_HEADER_BYTES) return undefined;
  const long = Number(bytes.readBigUInt64BE(HEADER_BYTES));
  return long >= LONG_HEADER_BYTES ? { type, bytes: long } : undefined;
}

async function isWhole(handle: FileHandle, { type, bytes }: Box, at: number): Promise<boolean> {
  if (!PARENTS.includes(type)) return true;
  if (bytes > INDEX_BYTES_MAX) return false;
  const { buffer } = await handle.read(Buffer.alloc(bytes), 0, bytes, at);
  return isTiled(buffer.subarray(HEADER_BYTES));
}

/** True if boxes, also those inside containers, fill the bytes exactly. */
function isTiled(bytes: Buffer): boolean {
  let at = 0;
  while (at < bytes.length) {
    const box = parseHeader(bytes.subarray(at));
    if (!box || at + box.bytes > bytes.length) return false;
    const inner = bytes.subarray(at + HEADER_BYTES, at + box.bytes);
    if (PARENTS.includes(box.type) && !isTiled(inner)) return false;
    at += box.bytes;
  }
  return true;
}
