import { readFileSync, writeFileSync } from 'node:fs';
import { finish } from '../../server/finisher/finish.ts';
import { RecordingFault } from '../../server/link/recording-fault.ts';
import type { FinishedRecording } from '../../server/link/recording-messages.ts';
import { seeded } from '../conformance/random.ts';
import { captureFolder, encodeClip, writeCapture } from '../host/recording/captures.ts';

/** A kill or a power cut leaves any beginning of the part file, and any beginning of the journal. */

type Test = typeof import('tap').default;

export const CLIP = await encodeClip(40, 20_000);
const random = seeded(20261120);
export const below = (limit: number): number => Math.floor(random() * limit);

/** A capture whose files can be cut anywhere, again and again. */
export async function capture(t: Pick<Test, 'teardown'>) {
  const order = captureFolder(t);
  await writeCapture(order, CLIP, { perFragment: 6, endUs: 1_200_000 });
  const part = readFileSync(order.partFile);
  const journal = readFileSync(order.journalFile);
  /** Where each sample of the part file ends. */
  let from = 0;
  const ends = CLIP.samples.map(({ data }) => {
    from = part.indexOf(data, from) + data.length;
    return from;
  });
  const cut = async (partBytes: number, journalBytes: number): Promise<FinishedRecording | RecordingFault> => {
    writeFileSync(order.partFile, part.subarray(0, partBytes));
    writeFileSync(order.journalFile, journal.subarray(0, journalBytes));
    return finish(order).catch((error: RecordingFault) => error);
  };
  return { part, journal, ends, cut };
}

/** Samples that were kept; a fault other than `no_frames_captured` is thrown. */
export const countOf = (outcome: FinishedRecording | RecordingFault): number => {
  if (!(outcome instanceof RecordingFault)) return outcome.sampleCount;
  if (outcome.code !== 'no_frames_captured') throw outcome;
  return 0;
};

/** Cuts the part file at so many places: every sample that is whole is kept, with its true end. */
export async function keepsWholeSamples(
  t: Pick<Test, 'capture' | 'fail' | 'pass' | 'teardown'>,
  cuts: number,
): Promise<void> {
  const { part, journal, ends, cut } = await capture(t);
  for (let round = 0; round < cuts; round++) {
    const bytes = below(part.length + 1);
    const whole = ends.filter((end) => end <= bytes).length;
    const outcome = await cut(bytes, journal.length);
    const kept = countOf(outcome);
    if (kept !== whole) t.fail(`cut at ${bytes}: ${kept} of ${whole} samples`);
    if (outcome instanceof RecordingFault) continue;
    const lost = CLIP.samples[whole];
    const endMs = lost ? lost.atUs / 1_000 : 1_200;
    if (outcome.durationMs !== endMs) t.fail(`cut at ${bytes}: ${outcome.durationMs} ms instead of ${endMs}`);
    if (outcome.lostTailMs !== 1_200 - endMs) t.fail(`cut at ${bytes}: ${outcome.lostTailMs} ms lost`);
  }
  t.pass();
}
