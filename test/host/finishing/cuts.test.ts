import { readFileSync, writeFileSync } from 'node:fs';
import t from 'tap';
import { finish } from '../../../server/host/finishing/finish.ts';
import { decodeJournal } from '../../../server/host/recording/journal.ts';
import { RecordingFault } from '../../../server/link/recording-fault.ts';
import type { FinishedRecording } from '../../../server/link/recording-messages.ts';
import { seeded } from '../../conformance/random.ts';
import { captureFolder, encodeClip, writeCapture } from '../recording/captures.ts';

/** A kill or a power cut leaves any beginning of the part file, and any beginning of the journal. */

const CUTS = 200;
const CLIP = encodeClip(40, 20_000);
const random = seeded(20261120);
const below = (limit: number) => Math.floor(random() * limit);

async function capture(t: Pick<typeof import('tap').default, 'teardown'>) {
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

const countOf = (outcome: FinishedRecording | RecordingFault): number => {
  if (!(outcome instanceof RecordingFault)) return outcome.sampleCount;
  if (outcome.code !== 'no_frames_captured') throw outcome;
  return 0;
};

t.test(`a part file cut at ${CUTS} places keeps every whole sample`, async (t) => {
  t.capture(process.stderr, 'write', () => true);
  const { part, journal, ends, cut } = await capture(t);
  for (let round = 0; round < CUTS; round++) {
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
});

t.test('a journal cut anywhere takes no sample along', async (t) => {
  const { part, journal, cut } = await capture(t);
  for (let round = 0; round < CUTS / 4; round++) {
    const bytes = below(journal.length + 1);
    const outcome = await cut(part.length, bytes);
    if (countOf(outcome) !== CLIP.samples.length) t.fail(`cut at ${bytes}: ${countOf(outcome)} samples`);
    if (outcome instanceof RecordingFault) continue;
    // The last entry tells the end; without it the part file's own word counts.
    const known = (decodeJournal(journal.subarray(0, bytes)).at(-1)?.atUs ?? 0) / 1_000;
    if (outcome.durationMs < Math.round(Math.max(known, 780))) t.fail(`cut at ${bytes}: ${outcome.durationMs} ms`);
    if (bytes === journal.length) t.equal(outcome.durationMs, 1_200);
  }
  t.pass();
});

t.test('both cut: what is whole in the part file is kept, in times that rise', async (t) => {
  t.capture(process.stderr, 'write', () => true);
  const { part, journal, ends, cut } = await capture(t);
  for (let round = 0; round < CUTS / 4; round++) {
    const bytes = below(part.length + 1);
    const outcome = await cut(bytes, below(journal.length + 1));
    const whole = ends.filter((end) => end <= bytes).length;
    if (countOf(outcome) !== whole) t.fail(`cut at ${bytes}: ${countOf(outcome)} of ${whole} samples`);
  }
  t.pass();
});

t.test('a flipped bit of the pictures costs those from there on, and none before', async (t) => {
  const order = captureFolder(t);
  await writeCapture(order, CLIP, { perFragment: 6, endUs: 1_200_000 });
  const part = readFileSync(order.partFile);
  for (let round = 0; round < CUTS / 4; round++) {
    const index = below(CLIP.samples.length);
    const { data } = CLIP.samples[index] ?? { data: Buffer.alloc(0) };
    const damaged = Buffer.from(part);
    const at = part.indexOf(data) + below(data.length);
    damaged[at] = (damaged[at] ?? 0) ^ (1 << below(8));
    writeFileSync(order.partFile, damaged);
    const outcome = await finish(order).catch((error: RecordingFault) => error);
    if (countOf(outcome) !== index) t.fail(`bit of sample ${index}: ${countOf(outcome)} are kept`);
  }
  t.pass();
});
