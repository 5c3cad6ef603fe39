import { crc32 } from 'node:zlib';
import type { JournalEntry } from '../capture/journal.ts';
import { Mp4Muxer } from '../capture/mp4-muxer.ts';
import { type Track, toTicks } from '../capture/track.ts';
import { RecordingFault } from '../link/recording-fault.ts';
import { PartReader, type PartSample } from './part-reader.ts';
import { Timeline } from './timeline.ts';

/** `faststart` puts the index first, so that a player can start before it has the whole file. The muxer buffers its writes. */
const OPTIONS = { movflags: 'faststart', flush_packets: '0' };
/** Samples that are written before the event loop runs again, which takes some milliseconds. */
const SAMPLES_AT_A_TIME = 64;

/** The expected content of a written file. */
export interface Written {
  readonly track: Track;
  /** Size of each sample, in order. */
  readonly bytes: readonly number[];
  readonly crcs: readonly number[];
  readonly endTicks: number;
  readonly lostTailUs: number;
}

/**
 * Copies every complete sample of a part file, with its true time and without encoding it again, into a plain MP4 file.
 * Rejects with `no_frames_captured` if there is none, and with FFmpeg's error if the disk fails.
 */
export async function remux(partFile: string, journal: readonly JournalEntry[], file: string): Promise<Written> {
  const reader = await PartReader.open(partFile);
  if (!reader) throw new RecordingFault(NO_FRAMES);
  try {
    const first = reader.next();
    const timeline = new Timeline(journal);
    if (!first?.key || placed(timeline, first) === undefined) throw new RecordingFault(NO_FRAMES);
    const muxer = await Mp4Muxer.create(file, reader, OPTIONS);
    try {
      const { bytes, crcs } = await copy(reader, first, timeline, muxer);
      const { endUs, lostTailUs } = timeline.end();
      const { width, height, parameterSets } = reader;
      return { track: { width, height, parameterSets }, bytes, crcs, endTicks: toTicks(endUs), lostTailUs };
    } finally {
      await muxer.close();
    }
  } finally {
    await reader.close();
  }
}

/** A sample is written when the next one is known, since its duration ends there. */
async function copy(reader: PartReader, first: PartSample, timeline: Timeline, muxer: Mp4Muxer) {
  const bytes: number[] = [];
  const crcs: number[] = [];
  let held = first;
  let heldTicks = 0;
  const write = (untilTicks: number) => {
    const { key, data } = held;
    bytes.push(data.length);
    crcs.push(crc32(data));
    muxer.writeSync({ key, data, atTicks: heldTicks, durationTicks: Math.max(1, untilTicks - heldTicks) });
  };
  for (let sample = reader.next(); sample; sample = reader.next()) {
    const atUs = placed(timeline, sample);
    if (atUs === undefined) break;
    const atTicks = toTicks(atUs);
    write(atTicks);
    held = sample;
    heldTicks = atTicks;
    if (bytes.length % SAMPLES_AT_A_TIME === 0) await new Promise(setImmediate);
  }
  write(toTicks(timeline.end().endUs));
  await muxer.finish();
  return { bytes, crcs };
}

const placed = (timeline: Timeline, sample: PartSample): number | undefined =>
  timeline.place({ ...sample, bytes: sample.data.length, crc: crc32(sample.data) });

const NO_FRAMES = {
  stage: 'finalize',
  code: 'no_frames_captured',
  message: 'Nothing was captured before the recording ended.',
  retryable: false,
} as const;
