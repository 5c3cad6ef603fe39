// @ts-expect-error The package has no types; what is used of it is described here.
import module from 'tinyh264/es/TinyH264.js';
// @ts-expect-error The package has no types; what is used of it is described here.
import decoder from 'tinyh264/es/TinyH264Decoder.js';

/** The compiled module; only its own decoder class looks inside. */
export type TinyH264Module = object;

interface SoftwareH264 {
  /** @param unit one access unit of Annex B, at most 1 MiB */
  decode(unit: Uint8Array): void;
}

/** Compiles the WebAssembly module, which comes inside of the package's script. */
export const TinyH264 = module as () => Promise<TinyH264Module>;

export const TinyH264Decoder = decoder as new (
  module: TinyH264Module,
  /** Gets the planes Y, U and V; the size is that of whole macroblocks. */
  onPicture: (yuv: Uint8Array, codedWidth: number, codedHeight: number) => void,
) => SoftwareH264;
