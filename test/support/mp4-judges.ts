import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Independent readers of MP4 files: the ffprobe and ffmpeg programs, another build than the library in the host. */

const run = promisify(execFile);

export interface Probed {
  readonly streams: readonly {
    readonly codec_type: string;
    readonly codec_tag_string: string;
    readonly width: number;
    readonly height: number;
    readonly nb_frames: string;
  }[];
  readonly packets: readonly { readonly pts_time: string; readonly size: string; readonly flags: string }[];
  readonly format: { readonly duration: string };
}

export async function probe(file: string): Promise<Probed> {
  const args = ['-v', 'error', '-of', 'json', '-show_streams', '-show_packets', '-show_format', file];
  const { stdout } = await run('ffprobe', args, { maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(stdout) as Probed;
}

/** The errors of ffmpeg when it decodes every picture; empty if there is none. */
export async function complaints(file: string): Promise<string> {
  const args = [
    '-v',
    'error',
    '-xerror',
    '-err_detect',
    'explode',
    '-i',
    file,
    '-fps_mode',
    'passthrough',
    // Pictures keep their own times: a guessed frame rate would put two of them into one place.
    '-enc_time_base',
    '-1',
    '-f',
    'null',
    '-',
  ];
  try {
    return (await run('ffmpeg', args)).stderr;
  } catch (error) {
    return String(error);
  }
}

/** The picture that is shown at a time, RGB, row by row. */
export async function pictureAt(file: string, seconds: number): Promise<Buffer> {
  // From the start and not by seeking: the newest picture that began by then is the one on the screen.
  const filter = `select='lte(t,${seconds})',format=rgb24`;
  const args = ['-v', 'error', '-i', file, '-vf', filter, '-fps_mode', 'passthrough', '-f', 'rawvideo', 'pipe:1'];
  const { stdout } = await run('ffmpeg', args, { encoding: 'buffer', maxBuffer: 1024 * 1024 * 1024 });
  const { streams } = await probe(file);
  const bytes = (streams[0]?.width ?? 0) * (streams[0]?.height ?? 0) * 3;
  return stdout.subarray(stdout.length - bytes);
}
