import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sample, Track } from '../../../server/capture/track.ts';
import type { Picture } from '../../../server/device/driver.ts';
import { toAvcPicture } from '../../../server/h264/avc.ts';
import { CaptureFiles } from '../../../server/host/recording/capture-files.ts';
import { H264Encoder } from '../../../server/host/stream/h264-encoder.ts';
import type { FinishOrder, RecordingOrder } from '../../../server/link/recording-messages.ts';
import { H264 } from '../stream/stream-arena.ts';

/** Captures without a device: real packets, at times that the test chooses. */

export const WIDTH = 96;
export const HEIGHT = 160;

export type Colour = readonly [red: number, green: number, blue: number];

/** A picture of one colour. */
export function painted(version: number, [red, green, blue]: Colour, width = WIDTH, height = HEIGHT): Picture {
  const pixels = new Uint8Array(Buffer.alloc(width * height * 4, Buffer.from([red, green, blue, 255])));
  const orientation = width > height ? 'landscape_left' : 'portrait';
  return { pixels, width, height, orientation, version, damage: [{ x: 0, y: 0, width, height }], inputSeq: version };
}

export interface Clip {
  readonly track: Track;
  readonly samples: readonly Sample[];
}

/** `count` pictures, each of them another, `stepUs` apart. */
export async function encodeClip(count: number, stepUs: number): Promise<Clip> {
  const encoder = new H264Encoder(H264);
  let track: Track | undefined;
  const samples: Sample[] = [];
  for (let index = 0; index < count; index++) {
    const picture = painted(index, [(index * 37) % 256, (index * 11) % 256, 128]);
    // Noise, so that samples have a size worth cutting.
    for (let at = 0; at < 4_000; at++) picture.pixels[(at * 13) % picture.pixels.length] = (at * (index + 7)) % 251;
    const { payload, key } = await encoder.encode(picture, index === 0, index * stepUs + 1);
    const { parameterSets, sample } = toAvcPicture(payload);
    if (parameterSets) track = { width: WIDTH, height: HEIGHT, parameterSets: [parameterSets] };
    samples.push({ atUs: index * stepUs, key, data: sample });
  }
  encoder.close();
  if (!track) throw new Error('no track');
  return { track, samples };
}

export interface CaptureFolder extends RecordingOrder, FinishOrder {
  readonly folder: string;
}

/** A folder for one recording; it goes with the test. */
export function captureFolder(t: Pick<typeof import('tap').default, 'teardown'>): CaptureFolder {
  const folder = mkdtempSync(join(tmpdir(), 'runcloud-recording-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return {
    folder,
    partFile: join(folder, 'one.part.mp4'),
    journalFile: join(folder, 'one.journal'),
    targetFile: join(folder, 'one.mp4'),
    maxDurationMs: 600_000,
    headroomBytes: 0,
  };
}

/** Writes a clip as a capture does, so many samples to a fragment, and leaves off as a kill would unless it is ended. */
export async function writeCapture(
  order: RecordingOrder,
  { track, samples }: Clip,
  { perFragment, aliveUs, endUs }: { perFragment: number; aliveUs?: number; endUs?: number },
): Promise<void> {
  const files = new CaptureFiles(order, track);
  for (let at = 0; at < samples.length; at += perFragment) {
    const batch = samples.slice(at, at + perFragment);
    files.write(batch, (batch.at(-1)?.atUs ?? 0) + 1_000);
  }
  if (aliveUs !== undefined) files.write([], aliveUs);
  if (endUs === undefined) await files.close();
  else await files.finish(endUs);
}
