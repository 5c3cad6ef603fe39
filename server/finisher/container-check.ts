import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { createFile, type Movie, MP4BoxBuffer, type Sample } from 'mp4box';
import { TIMESCALE } from '../capture/track.ts';
import { RecordingFault } from '../link/recording-fault.ts';
import type { Written } from './remux.ts';

/** Bytes read and held at a time. */
const CHUNK_BYTES = 1024 * 1024;
/** The index of a day at 60 pictures per second is smaller; a larger one is not from our muxer. */
const INDEX_BYTES_MAX = 256 * 1024 * 1024;

export interface CheckedObject {
  readonly byteSize: number;
  /** 64 hexadecimal digits. */
  readonly sha256: string;
}

/**
 * Verifies a written file by reading it once from its first byte to its last, with an MP4 library other than the one that
 * wrote it: the index must describe what was written, and each sample must be where the index says. The digest is computed
 * from the same bytes. Rejects with `container_invalid`.
 */
export async function checkContainer(file: string, written: Written): Promise<CheckedObject> {
  const handle = await open(file, 'r');
  try {
    const index = new IndexReader();
    const hash = createHash('sha256');
    let samples: SampleCheck | undefined;
    let at = 0;
    while (true) {
      // mp4box keeps the chunks until the index is complete, so each needs memory of its own.
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafeSlow(CHUNK_BYTES), 0, CHUNK_BYTES, at);
      if (bytesRead === 0) break;
      const chunk = buffer.subarray(0, bytesRead);
      hash.update(chunk);
      if (!samples) {
        const found = index.feed(chunk, at);
        if (found) samples = new SampleCheck(checkIndex(found, written), written.crcs);
        else if (at > INDEX_BYTES_MAX) throw invalid('its index has no end');
      }
      samples?.feed(chunk, at);
      at += bytesRead;
    }
    if (!samples) throw invalid('it has no index');
    samples.end(at);
    return { byteSize: at, sha256: hash.digest('hex') };
  } finally {
    await handle.close();
  }
}

interface Index {
  readonly movie: Movie;
  readonly samples: readonly Sample[];
}

/** Feeds mp4box until it has read the index. Samples are not passed on, so they take no memory. */
class IndexReader {
  readonly #file = createFile(false);
  #movie: Movie | undefined;
  #fault: string | undefined;

  constructor() {
    this.#file.onReady = (movie) => {
      this.#movie = movie;
    };
    this.#file.onError = (module, message) => {
      this.#fault = `${module}: ${message}`;
    };
  }

  feed(chunk: Buffer, at: number): Index | undefined {
    const bytes = chunk.buffer.slice(chunk.byteOffset, chunk.byteOffset + chunk.length);
    try {
      this.#file.appendBuffer(MP4BoxBuffer.fromArrayBuffer(bytes, at));
    } catch (error) {
      // mp4box does not validate its input and can throw anything.
      throw invalid(String(error));
    }
    if (this.#fault !== undefined) throw invalid(this.#fault);
    const movie = this.#movie;
    if (!movie) return undefined;
    const [track] = movie.tracks;
    return { movie, samples: track ? this.#file.getTrackSamplesInfo(track.id) : [] };
  }
}

/** Returns the samples if the index describes what was written. */
function checkIndex({ movie, samples }: Index, { track, bytes, endTicks }: Written): readonly Sample[] {
  const [video, ...others] = movie.tracks;
  if (!video || others.length > 0 || movie.videoTracks.length !== 1)
    throw invalid('it has not exactly one video track');
  if (!video.codec.startsWith('avc1.')) throw invalid(`its codec is ${video.codec}`);
  if (video.timescale !== TIMESCALE || video.duration !== endTicks) {
    throw invalid(`it lasts ${video.duration} of ${video.timescale} instead of ${endTicks} ticks`);
  }
  if (video.video?.width !== track.width || video.video.height !== track.height) throw invalid('its size is another');
  if (movie.isFragmented || video.edits?.length) throw invalid('it is no plain file');
  if (samples.length !== bytes.length) throw invalid(`it has ${samples.length} samples of ${bytes.length}`);
  if (samples[0]?.is_sync !== true || samples[0].dts !== 0) throw invalid('it does not begin with a key picture');
  let lastDts = -1;
  samples.forEach(({ size, dts, cts }, index) => {
    if (size !== bytes[index]) throw invalid(`sample ${index} has ${size} bytes of ${bytes[index]}`);
    if (dts <= lastDts || cts !== dts) throw invalid(`sample ${index} is out of order`);
    lastDts = dts;
  });
  return samples;
}

/** Compares the bytes of the file, as they are read, with the expected samples. */
class SampleCheck {
  readonly #samples: readonly Sample[];
  readonly #crcs: readonly number[];
  #index = 0;
  #crc = 0;

  constructor(samples: readonly Sample[], crcs: readonly number[]) {
    this.#samples = samples;
    this.#crcs = crcs;
  }

  feed(chunk: Buffer, at: number): void {
    for (let sample = this.#samples[this.#index]; sample; sample = this.#samples[this.#index]) {
      const from = sample.offset - at;
      const to = from + sample.size;
      if (from >= chunk.length) return;
      this.#crc = crc32(chunk.subarray(Math.max(0, from), Math.max(0, to)), this.#crc);
      if (to > chunk.length) return;
      if (this.#crc !== this.#crcs[this.#index]) throw invalid(`sample ${this.#index} is another`);
      this.#index++;
      this.#crc = 0;
    }
  }

  end(fileBytes: number): void {
    const last = this.#samples.at(-1);
    if (this.#index < this.#samples.length) throw invalid(`sample ${this.#index} is not there`);
    if (last && last.offset + last.size !== fileBytes) throw invalid('something comes after the last sample');
  }
}

/** The reason is for the log only: it does not help a caller. */
function invalid(reason: string): RecordingFault {
  const message = 'The finished recording failed its verification.';
  return new RecordingFault({ stage: 'verify', code: 'container_invalid', message, retryable: true }, reason);
}
