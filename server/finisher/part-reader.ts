import { AV_NOPTS_VALUE, AV_PKT_FLAG_CORRUPT } from 'node-av/constants';
import { FFmpegError, FormatContext, Packet } from 'node-av/lib';
import { isStorageTrouble } from '../capture/storage-fault.ts';
import type { Track } from '../capture/track.ts';
import { isWholeSample } from '../h264/avc.ts';
import { readAvcRecord } from '../h264/avc-record.ts';
import { readableBytes } from './part-extent.ts';

/** A sample as it is stored in the part file. */
export interface PartSample {
  readonly atTicks: number;
  readonly durationTicks: number;
  readonly key: boolean;
  readonly data: Buffer;
}

/** Reads a part file, also one that a kill has truncated. `close` frees its native memory. */
export class PartReader {
  readonly #context: FormatContext;
  readonly #packet = new Packet();
  readonly width: number;
  readonly height: number;
  readonly parameterSets: Track['parameterSets'];

  private constructor(context: FormatContext, facts: Track) {
    this.#context = context;
    this.width = facts.width;
    this.height = facts.height;
    this.parameterSets = facts.parameterSets;
    this.#packet.alloc();
  }

  /** `undefined` if not even the track's description is complete. Rejects if the disk fails. */
  static async open(file: string): Promise<PartReader | undefined> {
    const bytes = await extentOf(file);
    if (bytes === 0) return undefined;
    const context = new FormatContext();
    context.allocContext();
    const opened = await context.openInput(`subfile,,start,0,end,${bytes},,:file:${file}`);
    if (opened < 0) {
      throwIfDisk(opened);
      return undefined;
    }
    const parameters = context.streams[0]?.codecpar;
    const parameterSets = parameters?.extradata ? readParameterSets(parameters.extradata) : undefined;
    if (!parameters || !parameterSets) {
      await context.closeInput();
      return undefined;
    }
    const { width, height } = parameters;
    return new PartReader(context, { width, height, parameterSets });
  }

  /** The next complete sample; `undefined` after the last. */
  next(): PartSample | undefined {
    const packet = this.#packet;
    const result = this.#context.readFrameSync(packet);
    if (result < 0) {
      throwIfDisk(result);
      return undefined;
    }
    try {
      const { data, pts, duration } = packet;
      if (!data || pts === AV_NOPTS_VALUE || packet.hasFlags(AV_PKT_FLAG_CORRUPT)) return undefined;
      if (!isWholeSample(data)) return undefined;
      // Copied, since the packet's memory is freed with the packet.
      return {
        atTicks: Number(pts),
        durationTicks: Number(duration),
        key: packet.isKeyframe,
        data: Buffer.from(data),
      };
    } finally {
      packet.unref();
    }
  }

  async close(): Promise<void> {
    this.#packet.free();
    await this.#context.closeInput();
  }
}

/** Copies of the sets that a capture writes, as many of each kind; `undefined` for anything else. */
function readParameterSets(record: Uint8Array): Track['parameterSets'] | undefined {
  try {
    const { sps, pps } = readAvcRecord(record);
    if (sps.length !== pps.length) return undefined;
    return sps.map((set, index) => ({ sps: Buffer.from(set), pps: Buffer.from(pps[index] ?? []) }));
  } catch {
    return undefined;
  }
}

/** 0 if the capture ended before it created the file. */
async function extentOf(file: string): Promise<number> {
  try {
    return await readableBytes(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0;
    throw error;
  }
}

/** A truncated file reads as ended or invalid. Only a failure of the disk is thrown, since only then a retry can help. */
function throwIfDisk(result: number): void {
  if (isStorageTrouble({ code: result })) FFmpegError.throwIfError(result, 'part file');
}
