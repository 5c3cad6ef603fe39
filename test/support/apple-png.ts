import { crc32, deflateRawSync } from 'node:zlib';

/** A picture as Xcode packs it, with the row filters of PNG in turn; `pixel` gives red, green, blue and alpha. */
export function applePng(
  width: number,
  height: number,
  pixel: (x: number, y: number) => readonly [number, number, number, number],
): Buffer {
  const stride = width * 4;
  const rows: Buffer[] = [];
  let above = Buffer.alloc(stride);
  for (let y = 0; y < height; y++) {
    const row = Buffer.alloc(stride);
    for (let x = 0; x < width; x++) {
      const [red, green, blue, alpha] = pixel(x, y);
      const scaled = [blue, green, red].map((value) => Math.round((value * alpha) / 255));
      row.set([...scaled, alpha], x * 4);
    }
    rows.push(filtered(row, above, y % 5));
    above = row;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const data = deflateRawSync(Buffer.concat(rows));
  const half = data.length >> 1;
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('CgBI', Buffer.from([0x50, 0x00, 0x20, 0x02])),
    chunk('IHDR', header),
    chunk('IDAT', data.subarray(0, half)),
    chunk('IDAT', data.subarray(half)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function filtered(row: Buffer, above: Buffer, filter: number): Buffer {
  const out = Buffer.alloc(row.length + 1);
  out[0] = filter;
  for (let index = 0; index < row.length; index++) {
    const left = index < 4 ? 0 : (row[index - 4] ?? 0);
    const up = above[index] ?? 0;
    const corner = index < 4 ? 0 : (above[index - 4] ?? 0);
    const base = left + up - corner;
    const near = [left, up, corner].sort((a, b) => Math.abs(base - a) - Math.abs(base - b))[0] ?? 0;
    const guess = [0, left, up, (left + up) >> 1, near][filter] ?? 0;
    out[index + 1] = (row[index] ?? 0) - guess;
  }
  return out;
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
