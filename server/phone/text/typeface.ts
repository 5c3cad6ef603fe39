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

/** Kerning and advances are measured at this size and scaled to every other one. */
const UNITS = 1000;

/** Characters below this code have their advances and kerning in tables. */
const CODES = 128;

/** One weight of Inter, loaded from the npm package and never from the machine, so that every host draws the same pixels. */
export interface Typeface {
  readonly family: string;
  /** Advance of a character, by its code, in thousandths of the size. */
  advance(code: number): number;
  /** Kerning: how much closer a character stands to the one before it, in thousandths of the size. */
  kerning(before: number, code: number): number;
}

export function typeface(weight: FontWeight): Typeface {
  const known = measured.get(weight);
  if (known) return known;
  const family = `RunCloud Inter ${weight}`;
  GlobalFonts.registerFromPath(require.resolve(`@expo-google-fonts/inter/${FILES[weight]}`), family);
  const context: SKRSContext2D = createCanvas(1, 1).getContext('2d');
  context.lang = 'en';
  context.font = `${UNITS}px "${family}"`;
  const measure = (...codes: number[]) => context.measureText(String.fromCharCode(...codes)).width;
  const advances = new Float64Array(CODES).map((_, code) => (code < 32 ? 0 : measure(code)));
  const rare = new Map<number, number>();
  const pairs = new Float64Array(CODES * CODES).fill(Number.NaN);
  const advance = (code: number): number => {
    const value = code < CODES ? advances[code] : rare.get(code);
    if (value !== undefined) return value;
    rare.set(code, measure(code));
    return rare.get(code) ?? 0;
  };
  const kerning = (before: number, code: number): number => {
    if (before < 32 || code < 32 || before >= CODES || code >= CODES) return 0;
    const index = before * CODES + code;
    const known = pairs[index] ?? 0;
    if (!Number.isNaN(known)) return known;
    const gap = measure(before, code) - advance(before) - advance(code);
    // A large difference comes from a ligature or an alternate glyph; only a small one is kerning.
    pairs[index] = Math.abs(gap) < UNITS / 5 ? gap : 0;
    return pairs[index] ?? 0;
  };
  const face: Typeface = { family, advance, kerning };
  measured.set(weight, face);
  return face;
}
