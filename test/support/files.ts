/** Small files of the formats that a client checks. */

export const box = (type: string, payload: Uint8Array = new Uint8Array(0)): Buffer => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + payload.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, payload]);
};

/** A box whose size is written in 64 bits. */
export const largeBox = (type: string, payload: Uint8Array): Buffer => {
  const head = Buffer.alloc(16);
  head.writeUInt32BE(1);
  head.write(type, 4, 'latin1');
  head.writeBigUInt64BE(BigInt(16 + payload.length), 8);
  return Buffer.concat([head, payload]);
};

/** The boxes of an MP4; its tracks are empty. */
export const mp4 = (media = Buffer.alloc(5_000, 7)): Buffer =>
  Buffer.concat([
    box('ftyp', Buffer.from('isom0000isom')),
    box('moov', box('mvhd', Buffer.alloc(100))),
    box('mdat', media),
  ]);
