import sharp from 'sharp';
import { orientationName, orientationOf } from '../capabilities.ts';
import { GET, POST, type SessionCall, type SessionCommand } from '../command.ts';
import { WebDriverFailure } from '../failure.ts';
import { Screen, sizeOf } from '../screen.ts';
import { sourceOf, textOfSource } from '../source.ts';
import { named } from './elements.ts';

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

async function pictureOfElement(call: SessionCall): Promise<string> {
  const { session, signal } = call;
  const { screen, placed } = await named(call);
  const picture = await session.screenshot({ signal });
  const { width, height } = await sharp(picture).metadata();
  const { x, y, ...size } = screen.rectOf(placed.node);
  const [across, along] = [width / screen.width, height / screen.height];
  const area = {
    left: Math.round(x * across),
    top: Math.round(y * along),
    width: Math.round(size.width * across),
    height: Math.round(size.height * along),
  };
  if (area.width === 0 || area.height === 0)
    throw new WebDriverFailure('element not interactable', 'Nothing of it is in sight.');
  return base64(await sharp(picture).extract(area).png().toBuffer());
}

const windowRect = async ({ session: { record } }: SessionCall) => ({
  x: 0,
  y: 0,
  ...sizeOf(record, record.orientation),
});

export const SCREEN_COMMANDS: readonly SessionCommand[] = [
  GET('source', async ({ session, signal }) => textOfSource(sourceOf(await Screen.of(session, signal)))),
  GET('screenshot', async ({ session, signal }) => base64(await session.screenshot({ signal }))),
  GET('element/{element}/screenshot', pictureOfElement),
  GET('window/rect', windowRect),
  GET('window/current/size', windowRect),
  GET('orientation', async ({ session }) => orientationName(session.record.orientation)),
  POST('orientation', async ({ session, fields, signal }) => {
    await session.rotate(orientationOf(fields.text('orientation')), { signal });
  }),
  GET('rotation', ({ session }) => ({ x: 0, y: 0, z: ROTATIONS[session.record.orientation] })),
];

/** How far the display is turned, in degrees. */
const ROTATIONS = { portrait: 0, landscape_left: 90, portrait_upside_down: 180, landscape_right: 270 } as const;
