import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createCanvas, GlobalFonts, type SKRSContext2D } from '@napi-rs/canvas';
import { type Coverage, readCoverage } from './coverage.ts';

/**
 * The fonts that draw text. All come from npm packages and none from the machine, so that every host draws the same pixels.
 */

/** Weights of Inter that the phone uses. */
export type FontWeight = 400 | 500 | 600 | 700;

const INTER: Readonly<Record<FontWeight, string>> = {
  400: 'inter/400Regular/Inter_400Regular.ttf',
  500: 'inter/500Medium/Inter_500Medium.ttf',
  600: 'inter/600SemiBold/Inter_600SemiBold.ttf',
  700: 'inter/700Bold/Inter_700Bold.ttf',
};

/** For what Inter lacks, in the order in which they are asked: simplified Chinese, Japanese and other ideographs, Korean, emoji. */
const OTHERS: readonly string[] = [
  'zcool-xiaowei/400Regular/ZCOOLXiaoWei_400Regular.ttf',
  'kosugi/Kosugi_400Regular.ttf',
  'do-hyeon/400Regular/DoHyeon_400Regular.ttf',
  'noto-emoji/500Medium/NotoEmoji_500Medium.ttf',
];

/** Lengths are measured at this size and scaled to every other one. */
export const UNITS = 1000;

const require = createRequire(import.meta.url);

/** One font file. It is loaded when it is first used, and its coverage is read when it is first asked for. */
export class Face {
  readonly #file: string;
  #family: string | undefined;
  #context: SKRSContext2D | undefined;
  #coverage: Coverage | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  get #path(): string {
    return require.resolve(`@expo-google-fonts/${this.#file}`);
  }

  /** The name of the font on a canvas. */
  get family(): string {
    if (this.#family === undefined) {
      this.#family = `RunCloud ${this.#file}`;
      GlobalFonts.registerFromPath(this.#path, this.#family);
    }
    return this.#family;
  }

  /** Width of a text in thousandths of the size. */
  measure(text: string): number {
    if (!this.#context) {
      this.#context = createCanvas(1, 1).getContext('2d');
      this.#context.lang = 'en';
      this.#context.font = `${UNITS}px "${this.family}"`;
    }
    return this.#context.measureText(text).width;
  }

  has(codePoint: number): boolean {
    this.#coverage ??= readCoverage(readFileSync(this.#path));
    return this.#coverage.has(codePoint);
  }
}

const inter = new Map(Object.entries(INTER).map(([weight, file]) => [Number(weight), new Face(file)]));
const others = OTHERS.map((file) => new Face(file));

/** The font of the system. */
export function systemFace(weight: FontWeight): Face {
  const face = inter.get(weight);
  if (!face) throw new RangeError(`there is no weight ${weight}`);
  return face;
}

/** Shows nothing by itself: joiners, variants, direction marks, controls. */
const IGNORABLE = /[\p{Cc}\p{Default_Ignorable_Code_Point}]/u;

/** A part of a text as it can be drawn. */
export interface Drawable {
  readonly face: Face;
  readonly text: string;
}

/** What draws a grapheme cluster; `undefined` if no font has all of it, `''` if it shows nothing. */
export function drawableOf(cluster: string, weight: FontWeight): Drawable | '' | undefined {
  const characters = [...cluster];
  const visible = characters.filter((character) => !IGNORABLE.test(character));
  if (visible.length === 0) return '';
  const has = (face: Face, character: string) => face.has(character.codePointAt(0) ?? 0);
  const face = [systemFace(weight), ...others].find((one) => visible.every((character) => has(one, character)));
  // A canvas would take what the font lacks, be it invisible, from any font of the machine.
  return face && { face, text: characters.filter((character) => has(face, character)).join('') };
}
