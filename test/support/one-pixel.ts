import sharp from 'sharp';

/** The smallest JPEG, in base64. */
export async function onePixel(): Promise<string> {
  const create = { width: 1, height: 1, channels: 3, background: '#888' } as const;
  return (await sharp({ create }).jpeg().toBuffer()).toString('base64');
}
