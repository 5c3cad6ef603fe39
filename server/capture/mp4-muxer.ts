import {
  AV_CODEC_ID_H264,
  AV_LOG_ERROR,
  AVCOL_PRI_BT709,
  AVCOL_RANGE_JPEG,
  AVCOL_SPC_BT709,
  AVCOL_TRC_BT709,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants';
import { FFmpegError, FormatContext, Log, Packet, Rational } from 'node-av/lib';
import { avcConfiguration } from '../h264/avc.ts';
import { TIMESCALE, type Track } from './track.ts';

/** A sample with its timestamp and duration, in ticks. */
export interface TimedSample {
  readonly atTicks: number;
  readonly durationTicks: number;
  readonly key: boolean;
  readonly data: Buffer;
}

Log.setLevel(AV_LOG_ERROR);

export type MuxerOptions = Readonly<Record<string, string>>;

/**
 * FFmpeg's MP4 muxer, writing a file with one video track. Each call that can wait for the disk exists twice: asynchronous on
 * the thread pool, one call at a time, and synchronous for a thread that has nothing else to do. All fail with FFmpeg's error.
 */
export class Mp4Muxer {
  readonly #context = new FormatContext();
  readonly #packet = new Packet();

  private constructor() {
    this.#packet.alloc();
  }

  /** @param options further options of FFmpeg's muxer; see `ffmpeg -h muxer=mp4` */
  static async create(file: string, track: Track, options: MuxerOptions): Promise<Mp4Muxer> {
    const muxer = new Mp4Muxer();
    try {
      await muxer.#begin(file, track, options);
      return muxer;
    } catch (error) {
      await muxer.close();
      throw error;
    }
  }

  /** Synchronous version of `create`. */
  static createSync(file: string, track: Track, options: MuxerOptions): Mp4Muxer {
    const muxer = new Mp4Muxer();
    try {
      muxer.#describe(file, track, options);
      check(muxer.#context.openOutputSync(), 'file');
      check(muxer.#context.writeHeaderSync(), 'header');
      return muxer;
    } catch (error) {
      muxer.closeSync();
      throw error;
    }
  }

  /** Adds a sample to the current fragment, or writes it to a file that is not fragmented. */
  writeSync(sample: TimedSample): void {
    check(this.#context.writeFrameSync(this.#fill(sample)), 'write');
    this.#packet.unref();
  }

  async write(sample: TimedSample): Promise<void> {
    check(await this.#context.writeFrame(this.#fill(sample)), 'write');
    this.#packet.unref();
  }

  /** Writes the collected samples as one fragment. */
  flushSync(): void {
    // The muxer has to guess how long a fragment's last picture lasts. With this option it takes the next fragment's true
    // start time instead of adding up its guesses.
    check(this.#context.setOption('movflags', '+frag_discont'), 'option');
    check(this.#context.writeFrameSync(null), 'flush');
  }

  async finish(): Promise<void> {
    check(await this.#context.writeTrailer(), 'trailer');
  }

  finishSync(): void {
    check(this.#context.writeTrailerSync(), 'trailer');
  }

  /** Closes the file without finishing it, and frees the native memory. */
  async close(): Promise<void> {
    await this.#context.closeOutput();
    this.#context.freeContext();
    this.#packet.free();
  }

  closeSync(): void {
    this.#context.closeOutputSync();
    this.#context.freeContext();
    this.#packet.free();
  }

  async #begin(file: string, track: Track, own: MuxerOptions): Promise<void> {
    this.#describe(file, track, own);
    check(await this.#context.openOutput(), 'file');
    check(await this.#context.writeHeader(), 'header');
  }

  #describe(file: string, track: Track, own: MuxerOptions): void {
    const context = this.#context;
    check(context.allocOutputContext2(null, 'mp4', file), 'muxer');
    const stream = context.newStream();
    stream.timeBase = new Rational(1, TIMESCALE);
    const parameters = stream.codecpar;
    parameters.codecType = AVMEDIA_TYPE_VIDEO;
    parameters.codecId = AV_CODEC_ID_H264;
    parameters.width = track.width;
    parameters.height = track.height;
    parameters.extradata = avcConfiguration(track.parameterSets);
    parameters.colorRange = AVCOL_RANGE_JPEG;
    parameters.colorPrimaries = AVCOL_PRI_BT709;
    parameters.colorTrc = AVCOL_TRC_BT709;
    parameters.colorSpace = AVCOL_SPC_BT709;
    // Not by a Dictionary: FFmpeg frees that, node-av frees it again. Equal captures are to give equal bytes, hence no
    // word of FFmpeg's version in them.
    const options = { ...own, use_editlist: '0', video_track_timescale: `${TIMESCALE}`, fflags: 'bitexact' };
    for (const [name, value] of Object.entries(options)) check(context.setOption(name, value), `option ${name}`);
  }

  #fill({ atTicks, durationTicks, key, data }: TimedSample): Packet {
    const packet = this.#packet;
    packet.data = data;
    packet.pts = BigInt(atTicks);
    packet.dts = BigInt(atTicks);
    packet.duration = BigInt(durationTicks);
    packet.isKeyframe = key;
    packet.streamIndex = 0;
    return packet;
  }
}

function check(result: number, what: string): void {
  FFmpegError.throwIfError(result, what);
}
