import sharp from 'sharp';

/**
 * A canvas as protocol/README.md, section 10.1, describes what a viewer does with a `tiles` packet, written from that section alone;
 * JPEGs are decoded by libvips. Pixels are RGB.
 */
export class Canvas {
  width = 0;
  height = 0;
  pixels = Buffer.alloc(0);

  /** Throws where the packet is not what the section promises. */
  async draw(
    { key, width, height }: { readonly key: boolean; readonly width: number; readonly height: number },
    payload: Uint8Array,
  ): Promise<void> {
    if (width !== this.width || height !== this.height) {
      if (!key) throw new Error('a new size without a key packet');
      this.width = width;
      this.height = height;
      this.pixels = Buffer.alloc(width * height * 3);
    }
    const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
    let tiles = 0;
    for (let at = 0; at < bytes.length; tiles++) {
      const [x, y] = [bytes.readUInt16LE(at), bytes.readUInt16LE(at + 2)];
      const [w, h] = [bytes.readUInt16LE(at + 4), bytes.readUInt16LE(at + 6)];
      const length = bytes.readUInt32LE(at + 8);
      await this.#tile({ x, y, w, h }, bytes.subarray(at + 12, at + 12 + length));
      at += 12 + length;
      if (key && (x !== 0 || y !== 0 || w !== width || h !== height)) throw new Error('a key packet that is not whole');
    }
    if (key && tiles !== 1) throw new Error(`a key packet of ${tiles} tiles`);
  }

  async #tile({ x, y, w, h }: { x: number; y: number; w: number; h: number }, image: Uint8Array): Promise<void> {
    if (x + w > this.width || y + h > this.height || w === 0 || h === 0) throw new Error('a tile outside the picture');
    const { data, info } = await sharp(image, { failOn: 'warning' }).raw().toBuffer({ resolveWithObject: true });
    if (info.channels !== 3 || w !== info.width || h !== info.height) throw new Error('a JPEG of another size');
    for (let row = 0; row < h; row++) {
      data.copy(this.pixels, ((y + row) * this.width + x) * 3, row * w * 3, (row + 1) * w * 3);
    }
  }
}
