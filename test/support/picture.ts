import sharp from 'sharp';

/** A decoded screenshot: RGB, three bytes a pixel. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** `#rrggbb`. */
  at(x: number, y: number): string;
}

export async function decodePng(png: Uint8Array): Promise<Pixels> {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  return {
    width,
    height,
    at: (x, y) => {
      const offset = (y * width + x) * 3;
      return `#${data.subarray(offset, offset + 3).toString('hex')}`;
    },
  };
}
