import { createRequire } from 'node:module';
import { createCanvas, GlobalFonts, type SKRSContext2D } from '@napi-rs/canvas';

/** Weights of Inter that the phone uses. */
export type FontWeight = 400 | 500 | 600 | 700;

const FILES: Readonly<Record<FontWeight, string>> = {
  400: '400Regular/Inter_400Regular.ttf',
  500: '500Medium/Inter_500Medium.ttf',
  600: '600SemiBold/Inter_600SemiBold.ttf',
  700: '700Bold/Inter_700Bold.ttf',
};

const require = createRequire(import.meta.url);
const measured = new Map<FontWeight, Typeface>();

/** Kerning and advances are measured at this size, so that they hold for every size. */
const UNITS = 1000;

/** One weight of Inter, from the npm package and never from the machine, so that every host draws the same. */
export interface Typeface {
  readonly family: string;
  /** Advance of a character in thousandths of the size. */
  advance(character: string): number;
  /** What a pair stands closer or wider than its advances, in thousandths of the size. */
  kerning(pair: string): number;
}

export function typeface(weight: FontWeight): Typeface {
  const known = measured.get(weight);
  if (known) return known;
  const family = `RunCloud Inter ${weight}`;
  GlobalFonts.registerFromPath(require.resolve(`@expo-google-fonts/inter/${FILES[weight]}`), family);
  const context: SKRSContext2D = createCanvas(1, 1).getContext('2d');
  context.lang = 'en';
  context.font = `${UNITS}px "${family}"`;
  const advances = new Map<string, number>();
  const advance = (character: string): number => {
    const known = advances.get(character);
    if (known !== undefined) return known;
    const width = context.measureText(character).width;
    advances.set(character, width);
    return width;
  };
  const pairs = new Map<string, number>();
  const kerning = (pair: string): number => {
    const known = pairs.get(pair);
    if (known !== undefined) return known;
    const gap = context.measureText(pair).width - advance(pair.charAt(0)) - advance(pair.charAt(1));
    // Ligatures and alternates of digits would show as kerning; only small gaps are.
    const value = Math.abs(gap) < UNITS / 5 ? gap : 0;
    pairs.set(pair, value);
    return value;
  };
  const face: Typeface = { family, advance, kerning };
  measured.set(weight, face);
  return face;
}
