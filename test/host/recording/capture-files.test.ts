import { readFileSync, statSync } from 'node:fs';
import t from 'tap';
import { decodeJournal } from '../../../server/capture/journal.ts';
import { CaptureFiles } from '../../../server/host/recording/capture-files.ts';
import { complaints, probe } from '../../support/mp4-judges.ts';
import { withFfmpeg } from '../stream/ffmpeg.ts';
import { captureFolder, encodeClip, HEIGHT, WIDTH, writeCapture } from './captures.ts';

t.test('the part file can be played while it grows, and tells when each picture was shown', withFfmpeg(), async (t) => {
  const order = captureFolder(t);
  const { track, samples } = await encodeClip(9, 100_000);
  const files = new CaptureFiles(order, track);
  // The second fragment begins a second later than its neighbour's guess.
  const late = samples.map((sample, index) => ({ ...sample, atUs: sample.atUs + (index > 3 ? 1_000_000 : 0) }));
  for (const [from, to] of [
    [0, 1],
    [1, 4],
    [4, 9],
  ] as const) {
    const batch = late.slice(from, to);
    files.write(batch, (batch.at(-1)?.atUs ?? 0) + 20_000);
    const { packets, streams } = await probe(order.partFile);
    t.match(streams, [{ codec_type: 'video', codec_tag_string: 'avc1', width: WIDTH, height: HEIGHT }]);
    t.strictSame(
      packets.map(({ pts_time }) => Math.round(Number(pts_time) * 1_000)),
      late.slice(0, to).map(({ atUs }) => atUs / 1_000),
    );
  }
  await files.close();
  t.equal(await complaints(order.partFile), '');
});

t.test('the journal has an entry for each sample, and tells how far the recording has come', async (t) => {
  const order = captureFolder(t);
  const clip = await encodeClip(3, 100_000);
  await writeCapture(order, clip, { perFragment: 2, aliveUs: 700_000, endUs: 900_000 });
  const entries = decodeJournal(readFileSync(order.journalFile));
  t.match(entries, [
    { kind: 'sample', atUs: 0, key: true, bytes: clip.samples[0]?.data.length },
    { kind: 'sample', atUs: 100_000, key: false },
    { kind: 'alive', atUs: 101_000 },
    { kind: 'sample', atUs: 200_000 },
    { kind: 'alive', atUs: 201_000 },
    { kind: 'alive', atUs: 700_000 },
    { kind: 'end', atUs: 900_000 },
  ]);
});

t.test('a still screen costs no bytes of video', async (t) => {
  const order = captureFolder(t);
  const { track, samples } = await encodeClip(1, 1);
  const files = new CaptureFiles(order, track);
  files.write(samples, 1_000);
  const { size } = statSync(order.partFile);
  for (let second = 1; second < 20; second++) files.write([], second * 1_000_000);
  await files.sync();
  t.equal(statSync(order.partFile).size, size);
  t.equal(await files.finish(20_000_000), statSync(order.partFile).size);
  await t.resolves(files.close(), 'closing what is closed is quiet');
});

t.test('files that cannot be made throw, and leave nothing open', async (t) => {
  const order = captureFolder(t);
  const { track } = await encodeClip(1, 1);
  t.throws(() => new CaptureFiles({ ...order, partFile: `${order.folder}/none/x.mp4` }, track));
  t.throws(() => new CaptureFiles({ ...order, journalFile: order.folder }, track), { code: 'EISDIR' });
});
