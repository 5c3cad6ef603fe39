import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import t from 'tap';
import { finish } from '../../server/finisher/finish.ts';
import { CaptureFiles } from '../../server/host/recording/capture-files.ts';
import { captureFolder, encodeClip, HEIGHT, WIDTH, writeCapture } from '../host/recording/captures.ts';
import { withFfmpeg } from '../host/stream/ffmpeg.ts';
import { complaints, probe } from '../support/mp4-judges.ts';

const STEP_US = 20_000;
const CLIP = await encodeClip(30, STEP_US);
const NO_FRAMES = { name: 'RecordingFault', code: 'no_frames_captured', stage: 'finalize', retryable: false };

t.test('a capture becomes a plain file, in which others find what was captured', withFfmpeg(), async (t) => {
  const order = captureFolder(t);
  await writeCapture(order, CLIP, { perFragment: 7, endUs: 5_000_000 });
  const finished = await finish(order);
  t.match(finished, { durationMs: 5_000, width: WIDTH, height: HEIGHT, sampleCount: 30, lostTailMs: 0 });
  const bytes = readFileSync(order.targetFile);
  t.equal(finished.byteSize, bytes.length);
  t.match(finished.sha256, /^[0-9a-f]{64}$/);

  const { streams, packets, format } = await probe(order.targetFile);
  t.match(streams, [{ codec_type: 'video', codec_tag_string: 'avc1', nb_frames: '30' }]);
  t.ok(Math.abs(Number(format.duration) - 5) < 0.001, format.duration);
  t.strictSame(
    packets.map(({ pts_time, size }) => [Math.round(Number(pts_time) * 1_000), Number(size)]),
    CLIP.samples.map(({ atUs, data }) => [atUs / 1_000, data.length]),
  );
  t.equal(await complaints(order.targetFile), '');

  t.strictSame(readdirSync(order.folder).sort(), ['one.journal', 'one.mp4', 'one.part.mp4'], 'no draft is left');
});

t.test('the index stands before the pictures, so that a player can begin at once', async (t) => {
  const order = captureFolder(t);
  await writeCapture(order, CLIP, { perFragment: 30, endUs: 700_000 });
  await finish(order);
  const bytes = readFileSync(order.targetFile);
  t.ok(bytes.indexOf('moov') < bytes.indexOf('mdat'));
  t.equal(bytes.indexOf('elst'), -1, 'no edit list moves its beginning');
  t.equal(bytes.indexOf('moof'), -1, 'no fragments are left');
});

t.test('finishing again, also over what a kill left, gives the same bytes', async (t) => {
  const order = captureFolder(t);
  await writeCapture(order, CLIP, { perFragment: 7, endUs: 1_000_000 });
  const first = await finish(order);
  t.strictSame(await finish(order), first);
  writeFileSync(`${order.targetFile}.tmp`, 'half a draft');
  truncateSync(order.targetFile, 100);
  t.strictSame(await finish(order), first);
  t.notOk(existsSync(`${order.targetFile}.tmp`));
});

t.test('a killed capture of a still screen lasts as long as its journal tells', async (t) => {
  const order = captureFolder(t);
  await writeCapture(order, await encodeClip(1, 1), { perFragment: 1, aliveUs: 4_500_000 });
  t.match(await finish(order), { durationMs: 4_500, sampleCount: 1, lostTailMs: 0 });
});

t.test('a picture that was captured before a write and encoded after it costs no time of what follows', async (t) => {
  for (const [aliveUs, endUs] of [
    [4_500_000, 5_000_000],
    [4_500_000, undefined],
  ] as const) {
    const order = captureFolder(t);
    const files = new CaptureFiles(order, CLIP.track);
    await files.write(CLIP.samples.slice(0, 10), 10 * STEP_US + 5_000);
    await files.write(CLIP.samples.slice(10), 30 * STEP_US);
    await files.write([], aliveUs);
    if (endUs === undefined) await files.close();
    else await files.finish(endUs);
    t.match(await finish(order), { durationMs: (endUs ?? aliveUs) / 1_000, sampleCount: 30, lostTailMs: 0 });
  }
});

t.test('a capture without its journal is finished by what the part file tells', async (t) => {
  const order = captureFolder(t);
  await writeCapture(order, CLIP, { perFragment: 7, endUs: 600_000 });
  rmSync(order.journalFile);
  const { sampleCount, durationMs } = await finish(order);
  t.equal(sampleCount, 30);
  t.ok(Math.abs(durationMs - 581) <= 20, `${durationMs} ms`);
});

t.test('nothing whole is no recording: no file, no bytes, no pictures, no sense', async (t) => {
  const order = captureFolder(t);
  await t.rejects(finish(order), NO_FRAMES);
  writeFileSync(order.partFile, '');
  await t.rejects(finish(order), NO_FRAMES);
  writeFileSync(order.partFile, Buffer.alloc(100_000, 0x5a));
  await t.rejects(finish(order), NO_FRAMES);
  rmSync(order.partFile);
  await writeCapture(order, { ...CLIP, samples: [] }, { perFragment: 1 });
  await t.rejects(finish(order), NO_FRAMES);
  t.notOk(existsSync(order.targetFile));
});

t.test('a capture that begins with no key picture is no recording', async (t) => {
  const order = captureFolder(t);
  const samples = CLIP.samples.slice(1).map((sample) => ({ ...sample, atUs: sample.atUs - STEP_US }));
  await writeCapture(order, { ...CLIP, samples }, { perFragment: 7 });
  await t.rejects(finish(order), NO_FRAMES);
});

t.test('a first picture that does not decode is no valid file', async (t) => {
  const order = captureFolder(t);
  const [first, ...others] = CLIP.samples;
  if (!first) throw new Error('no sample');
  const data = Buffer.from(first.data);
  // Each unit keeps its length and its kind (ISO 14496-15, 4-byte lengths); from the middle on its slice is noise.
  for (let at = 0; at < data.length; ) {
    const end = at + 4 + data.readUInt32BE(at);
    for (let noisy = (at + 4 + end) >> 1; noisy < end; noisy++) data[noisy] = (noisy * 89) % 256;
    at = end;
  }
  await writeCapture(order, { ...CLIP, samples: [{ ...first, data }, ...others] }, { perFragment: 7 });
  await t.rejects(finish(order), { code: 'container_invalid', stage: 'verify' });
  t.notOk(existsSync(order.targetFile));
});
