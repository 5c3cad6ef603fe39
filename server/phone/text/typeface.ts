import { type FontWeight, systemFace, UNITS } from './faces.ts';

const measured = new Map<FontWeight, Typeface>();

/** Codes of US ASCII: their advances and kerning are in tables. */
const CODES = 128;

/** The metrics of US ASCII in one weight of Inter. */
export interface Typeface {
  readonly family: string;
  /** Advance of a character, by its code below 128, in thousandths of the size. */
  advance(code: number): number;
  /** Kerning: how much closer a character stands to the one before it, in thousandths of the size; 0 beyond US ASCII. */
  kerning(before: number, code: number): number;
}

export function typeface(weight: FontWeight): Typeface {
  const known = measured.get(weight);
  if (known) return known;
  const inter = systemFace(weight);
  const measure = (...codes: number[]) => inter.measure(String.fromCharCode(...codes));
  const advances = new Float64Array(CODES).map((_, code) => (code < 32 ? 0 : measure(code)));
  const pairs = new Float64Array(CODES * CODES).fill(Number.NaN);
  const advance = (code: number): number => advances[code] ?? 0;
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
  const face: Typeface = { family: inter.family, advance, kerning };
  measured.set(weight, face);
  return face;
}
