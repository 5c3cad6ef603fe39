import { DeviceFault } from '../../../device/fault.ts';
import type { GuestShell } from './guest-shell.ts';

/** Bytes of a picture and its header: 16 megapixels. */
export const PICTURE_BYTES_MAX = 67_174_400;
export const PICTURE_MS_MAX = 10_000;
const RGBA_8888 = 1;
/** Each picture starts a program on the device: between two it rests as long as the last one took, and at least this. */
const PAUSE_MS_MIN = 250;

/** RGBA, row by row. */
export interface Screencap {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Pictures that a device takes of one of its displays by its own `screencap`. */
export class Screencaps {
  readonly #shell: GuestShell;
  readonly #onRested: () => void;
  #resting: NodeJS.Timeout | undefined;
  #closed = false;

  /** @param onRested called some time after each picture: whoever watches takes another, and without one nothing is taken */
  constructor(shell: GuestShell, onRested: () => void) {
    this.#shell = shell;
    this.#onRested = onRested;
  }

  /** @param display its number, which a device with several needs. Rejects with a `DeviceFault`. */
  async take(display?: string): Promise<Screencap> {
    const beganAtMs = performance.now();
    try {
      const options = { outputBytesMax: PICTURE_BYTES_MAX, timeoutMs: PICTURE_MS_MAX };
      const picture = readScreencap(await this.#shell.bytes(screencapOf(display), options));
      if (picture) return picture;
      throw new DeviceFault('nonsense', 'The device gives no picture of its screen.');
    } finally {
      this.#rest(performance.now() - beganAtMs);
    }
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#resting);
  }

  #rest(tookMs: number): void {
    clearTimeout(this.#resting);
    if (this.#closed) return;
    this.#resting = setTimeout(() => this.#onRested(), Math.max(PAUSE_MS_MIN, tookMs)).unref();
  }
}

/**
 * The words of the command. A device with several displays takes the first one where none is named, active or not, and complains
 * about that in the middle of the picture.
 */
export const screencapOf = (display: string | undefined, ...options: readonly string[]): readonly string[] => [
  'screencap',
  ...options,
  ...(display === undefined ? [] : ['-d', display]),
];

/** The raw format of `screencap`: 16 bytes of header, 12 in old releases, and the pixels. */
export function readScreencap(bytes: Buffer): Screencap | undefined {
  if (bytes.length < 16) return undefined;
  const [width, height, format] = [bytes.readUInt32LE(0), bytes.readUInt32LE(4), bytes.readUInt32LE(8)];
  if (width < 1 || height < 1 || width > 8_192 || height > 8_192 || format !== RGBA_8888) return undefined;
  const header = bytes.length - width * height * 4;
  return header === 16 || header === 12 ? { pixels: bytes.subarray(header), width, height } : undefined;
}
