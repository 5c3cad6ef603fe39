import { readFileSync, writeFileSync } from 'node:fs';
import t from 'tap';
import { decodeJournal } from '../../server/capture/journal.ts';
import { finish } from '../../server/finisher/finish.ts';
import { RecordingFault } from '../../server/link/recording-fault.ts';
import { captureFolder, writeCapture } from '../host/recording/captures.ts';
import { below, CLIP, capture, countOf, keepsWholeSamples } from './cut-captures.ts';

const CUTS = 200;

t.test(`a part file cut at ${CUTS} places keeps every whole sample`, (t) => keepsWholeSamples(t, CUTS));

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
