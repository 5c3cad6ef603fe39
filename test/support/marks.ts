import sharp from 'sharp';

/** Where a picture has exactly one colour. */
export interface Marks {
  readonly width: number;
  readonly height: number;
  /** `x,y` of each pixel, row by row. */
  readonly places: readonly string[];
}

/** Finds the pixels of a colour, such as `0xff00ff`; stops after `most` of them. */
export async function findColour(png: Uint8Array, colour: number, most = 1_000): Promise<Marks> {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const places: string[] = [];
  const [red, green, blue] = [colour >>> 16, (colour >>> 8) & 0xff, colour & 0xff];
  for (let at = 0; at < data.length && places.length < most; at += 3) {
    if (data[at] !== red || data[at + 1] !== green || data[at + 2] !== blue) continue;
    const pixel = at / 3;
    places.push(`${pixel % width},${Math.floor(pixel / width)}`);
  }
  return { width, height, places };
}
