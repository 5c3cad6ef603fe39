import type { SKRSContext2D } from '@napi-rs/canvas';
import type { Platform } from '@runcloud/protocol';
import { drawSprite, type Sprite } from '../draw/sprite.ts';
import type { Theme } from '../theme.ts';

/** A soft patch of light: place and radius as fractions of the larger side. */
type Patch = readonly [x: number, y: number, radius: number, colour: string];

const CLEAR = '00';
/** Laid over the picture in the dark appearance. */
const NIGHT = 'rgba(0, 0, 10, 0.5)';
const DIM = 'rgba(10, 12, 24, 0.5)';

type Look = Pick<Theme, 'platform' | 'appearance'>;

const LOOKS: Readonly<
  Record<Platform, { readonly base: readonly [string, string]; readonly patches: readonly Patch[] }>
> = {
  ios: {
    base: ['#16245c', '#3a1d5e'],
    patches: [
      [0.05, 0.02, 0.6, '#2f7bff'],
      [0.5, 0.3, 0.45, '#7b4dff'],
      [0.02, 0.62, 0.5, '#15b8d6'],
      [0.5, 0.78, 0.45, '#ff5f8f'],
      [0.2, 1.02, 0.42, '#ffa24d'],
    ],
  },
  android: {
    base: ['#0d3b3f', '#12324a'],
    patches: [
      [0.42, 0.04, 0.5, '#5fd3a8'],
      [0.02, 0.3, 0.5, '#1f8a8c'],
      [0.5, 0.55, 0.42, '#2b6fb3'],
      [0.06, 0.85, 0.5, '#6a5acd'],
      [0.48, 1.0, 0.4, '#f2a65a'],
    ],
  },
};

const cache = new Map<string, Sprite>();

/** The picture behind the home screen, darker if `isDim`; shared by all phones of the thread. */
export function wallpaper({ platform, appearance }: Look, width: number, height: number, isDim = false): Sprite {
  const key = `${platform}/${appearance}/${isDim}/${width}x${height}`;
  const known = cache.get(key);
  if (known) return known;
  const sprite = drawSprite(width, height, (context) => {
    paint(context, platform, width, height);
    for (const shade of [...(appearance === 'dark' ? [NIGHT] : []), ...(isDim ? [DIM] : [])]) {
      context.fillStyle = shade;
      context.fillRect(0, 0, width, height);
    }
  });
  cache.set(key, sprite);
  return sprite;
}

function paint(context: SKRSContext2D, platform: Platform, width: number, height: number): void {
  const { base, patches } = LOOKS[platform];
  const ground = context.createLinearGradient(0, 0, width, height);
  ground.addColorStop(0, base[0]);
  ground.addColorStop(1, base[1]);
  context.fillStyle = ground;
  context.fillRect(0, 0, width, height);
  const long = Math.max(width, height);
  const turned = width > height;
  for (const [across, along, radius, colour] of patches) {
    const x = (turned ? along : across) * long;
    const y = (turned ? across : along) * long;
    const light = context.createRadialGradient(x, y, 0, x, y, radius * long);
    light.addColorStop(0, colour);
    light.addColorStop(1, `${colour}${CLEAR}`);
    context.fillStyle = light;
    context.fillRect(0, 0, width, height);
  }
  if (platform === 'android') paintWaves(context, width, height);
}

function paintWaves(context: SKRSContext2D, width: number, height: number): void {
  for (let wave = 0; wave < 4; wave++) {
    const y = height * (0.52 + wave * 0.13);
    context.fillStyle = `rgba(8, 26, 48, ${0.1 + wave * 0.05})`;
    context.beginPath();
    context.moveTo(0, y + height * 0.05);
    context.bezierCurveTo(width * 0.3, y - height * 0.07, width * 0.6, y + height * 0.1, width, y - height * 0.03);
    context.lineTo(width, height);
    context.lineTo(0, height);
    context.fill();
  }
}
