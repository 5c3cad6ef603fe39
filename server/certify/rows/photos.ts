import sharp from 'sharp';
import type { RgbPicture } from '../../test-card/read-card.ts';
import { NotSeen, type Subject } from '../subject.ts';
import { launchKnown } from './known-app.ts';
import type { Row } from './row.ts';

/** A colour that no system shows by itself; it comes back a little changed. */
const COLOUR = '#ff00c8';
const isOfColour = (red: number, green: number, blue: number) => red > 225 && green < 40 && blue > 170 && blue < 230;
const SIDE = 640;
/** Of the display: a picture in a grid is some percent of it. */
const SEEN_SHARE = 0.005;
const SEEN_MS = 10_000;

function shareOfColour({ pixels, width, height }: RgbPicture): number {
  let count = 0;
  for (let at = 0; at < pixels.length; at += 3) {
    const [red = 0, green = 0, blue = 0] = [pixels[at], pixels[at + 1], pixels[at + 2]];
    if (isOfColour(red, green, blue)) count++;
  }
  return count / (width * height);
}

async function provePhotos(subject: Subject): Promise<string> {
  const { session, ground } = subject;
  const { signal } = ground;
  const app = await launchKnown(subject, 'photos');
  const before = shareOfColour(await subject.still('the photos of the device'));
  const background = COLOUR;
  const png = await sharp({ create: { width: SIDE, height: SIDE, channels: 3, background } })
    .png()
    .toBuffer();
  const { byteSize, readBack } = await session.media.add(png, { signal });
  if (byteSize !== png.length) throw new NotSeen(`the device has ${byteSize} bytes of ${png.length}`);
  await session.launchApp(app, { signal });
  await subject.until(`the picture in ${app}`, SEEN_MS, (picture) => shareOfColour(picture) - before > SEEN_SHARE);
  return `${app} showed it; ${readBack ? 'the device told that it has it' : 'the device tells nothing of its own'}`;
}

export const PHOTO_ROWS: readonly Row[] = [
  {
    id: 'photos',
    title: 'A picture is added to the photos, and seen among them',
    needs: ({ media, actions }) => media === true && ['listApps', 'launchApp'].every((name) => actions.includes(name)),
    prove: provePhotos,
  },
];
