import { spawn, spawnSync } from 'node:child_process';

/** An independent reader of H.264: the ffmpeg program, another build than the library in the host. */

const missing = spawnSync('ffmpeg', ['-version']).error !== undefined;
if (missing && process.env.CI) throw new Error('ffmpeg is not installed, and CI must judge H.264 streams with it');
let skipped = 0;

/** Options of a test that needs ffmpeg. */
export function withFfmpeg(): { readonly skip?: string } {
  return missing ? { skip: `SKIPPED CHECK ${++skipped}: ffmpeg is not installed, NO H.264 STREAM WAS JUDGED` } : {};
}

export interface Decoded {
  readonly output: Buffer;
  readonly messages: string;
  readonly status: number | null;
}

/** Reads Annex B packets to the end, stopping at the first error. */
export async function ffmpeg(packets: readonly Uint8Array[], level: string, args: readonly string[]): Promise<Decoded> {
  const options = ['-hide_banner', '-nostats', '-v', level, '-xerror', '-err_detect', 'explode'];
  const child = spawn('ffmpeg', [...options, '-f', 'h264', '-i', 'pipe:0', ...args]);
  const output: Buffer[] = [];
  const messages: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => void output.push(part));
  child.stderr.on('data', (part: Buffer) => void messages.push(part));
  // A reader that gives up early says why in its messages.
  child.stdin.on('error', () => undefined);
  child.stdin.end(Buffer.concat(packets));
  const status = await new Promise<number | null>((resolve) => void child.on('close', resolve));
  return { output: Buffer.concat(output), messages: Buffer.concat(messages).toString(), status };
}

/** The pictures of a stream of one size, RGBA. */
export async function decodePictures(packets: readonly Uint8Array[], bytesEach: number): Promise<Buffer[]> {
  const args = ['-fps_mode', 'passthrough', '-f', 'rawvideo', '-pix_fmt', 'rgba', 'pipe:1'];
  const { output, messages, status } = await ffmpeg(packets, 'error', args);
  if (status !== 0 || messages !== '') throw new Error(`ffmpeg ended with ${status}: ${messages}`);
  return Array.from({ length: output.length / bytesEach }, (_, index) =>
    output.subarray(index * bytesEach, (index + 1) * bytesEach),
  );
}

/** Peak signal to noise of two pictures of the same layout, in decibels; the alpha of RGBA is left out. */
export function psnr(one: Uint8Array, other: Uint8Array, channels = 4): number {
  if (one.length !== other.length) throw new Error(`${one.length} bytes and ${other.length} cannot be compared`);
  let sum = 0;
  let samples = 0;
  for (let index = 0; index < one.length; index++) {
    if (channels === 4 && index % 4 === 3) continue;
    sum += ((one[index] ?? 0) - (other[index] ?? 0)) ** 2;
    samples++;
  }
  return sum === 0 ? Number.POSITIVE_INFINITY : 10 * Math.log10((255 * 255 * samples) / sum);
}
