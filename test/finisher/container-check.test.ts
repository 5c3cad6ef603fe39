import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import t from 'tap';
import { Mp4Muxer } from '../../server/capture/mp4-muxer.ts';
import { checkContainer } from '../../server/finisher/container-check.ts';
import type { Written } from '../../server/finisher/remux.ts';
import { type Clip, encodeClip } from '../host/recording/captures.ts';

const CLIP = await encodeClip(12, 20_000);
const STEP_TICKS = 1_800;
const INVALID = { name: 'RecordingFault', code: 'container_invalid', stage: 'verify' };

/** Writes a file, and what it is to hold. */
async function write(folder: string, { track, samples }: Clip, movflags = 'faststart') {
  const file = join(folder, 'object.mp4');
  const muxer = await Mp4Muxer.create(file, track, { movflags });
  for (const [index, sample] of samples.entries()) {
    await muxer.write({ ...sample, atTicks: index * STEP_TICKS, durationTicks: STEP_TICKS });
  }
  await muxer.finish();
  await muxer.close();
  const written: Written = {
    track,
    bytes: samples.map(({ data }) => data.length),
    crcs: samples.map(({ data }) => crc32(data)),
    endTicks: samples.length * STEP_TICKS,
    lostTailUs: 0,
  };
  return { file, written };
}

t.test('a file that holds what was written passes, with the digest of its bytes', async (t) => {
  const { file, written } = await write(t.testdir(), CLIP);
  const bytes = readFileSync(file);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  t.strictSame(await checkContainer(file, written), { byteSize: bytes.length, sha256 });
});

t.test('a file larger than what is held at a time passes, and a flipped bit far behind is noticed', async (t) => {
  const [first, second] = CLIP.samples;
  if (!first || !second) throw new Error('no samples');
  const samples = [first, ...Array.from({ length: 3_000 }, () => second)];
  const { file, written } = await write(t.testdir(), { ...CLIP, samples });
  const bytes = readFileSync(file);
  t.ok(bytes.length > 3 * 1024 * 1024, `${bytes.length} bytes`);
  t.equal((await checkContainer(file, written)).byteSize, bytes.length);
  bytes[bytes.length - 5] = (bytes[bytes.length - 5] ?? 0) ^ 1;
  writeFileSync(file, bytes);
  await t.rejects(checkContainer(file, written), INVALID);
});

t.test('every way in which the file and the plan differ is told', async (t) => {
  const { file, written } = await write(t.testdir(), CLIP);
  const [size = 0, ...sizes] = written.bytes;
  const [crc = 0, ...crcs] = written.crcs;
  const others: Record<string, Partial<Written>> = {
    'a sample more': { bytes: [...written.bytes, 9], crcs: [...written.crcs, 9] },
    'a sample less': { bytes: sizes, crcs },
    'another size': { bytes: [size + 1, ...sizes] },
    'other bytes': { crcs: [crc ^ 1, ...crcs] },
    'another duration': { endTicks: written.endTicks + 1 },
    'another width': { track: { ...written.track, width: 98 } },
    'another height': { track: { ...written.track, height: 98 } },
  };
  for (const [name, other] of Object.entries(others)) {
    await t.rejects(checkContainer(file, { ...written, ...other }), INVALID, name);
  }
});

t.test('a flipped bit of any picture, a cut and an addition are noticed', async (t) => {
  const { file, written } = await write(t.testdir(), CLIP);
  const bytes = readFileSync(file);
  for (const { data } of CLIP.samples) {
    const damaged = Buffer.from(bytes);
    const at = bytes.indexOf(data) + (data.length >> 1);
    damaged[at] = (damaged[at] ?? 0) ^ 0x10;
    writeFileSync(file, damaged);
    await t.rejects(checkContainer(file, written), INVALID);
  }
  writeFileSync(file, bytes);
  appendFileSync(file, Buffer.from([0, 0, 0, 8, 0x66, 0x72, 0x65, 0x65]));
  await t.rejects(checkContainer(file, written), INVALID, 'a box more');
  truncateSync(file, bytes.length - 1);
  await t.rejects(checkContainer(file, written), INVALID, 'a byte less');
});

t.test('files of another kind do not pass: fragments, other words, nothing', async (t) => {
  const { file, written } = await write(t.testdir(), CLIP, 'frag_keyframe+empty_moov+default_base_moof');
  await t.rejects(checkContainer(file, written), INVALID, 'fragments');
  for (const bytes of [Buffer.alloc(0), Buffer.from('no film at all'), Buffer.alloc(5_000_000, 0xff)]) {
    writeFileSync(file, bytes);
    await t.rejects(checkContainer(file, written), INVALID);
  }
});

t.test('any byte of the index may be another: it is refused or harmless, and never takes long', async (t) => {
  const { file, written } = await write(t.testdir(), CLIP);
  const bytes = readFileSync(file);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const indexEnd = bytes.indexOf('mdat');
  let refused = 0;
  for (let at = 0; at < indexEnd; at += 3) {
    const damaged = Buffer.from(bytes);
    damaged[at] = (damaged[at] ?? 0) ^ 0x81;
    writeFileSync(file, damaged);
    try {
      t.not((await checkContainer(file, written)).sha256, sha256);
    } catch (error) {
      t.match(error, INVALID);
      refused++;
    }
  }
  t.ok(refused > 50, `${refused} of ${Math.ceil(indexEnd / 3)} are refused`);
});
