import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { readSps } from '../../server/h264/sps.ts';
import { withoutReordering } from '../../server/h264/sps-rewrite.ts';
import { headOf } from '../../server/h264/stream-head.ts';

/** FFmpeg's own reader of parameter sets judges what ours makes of them. */
const hasFfmpeg = process.env.CI !== undefined || spawnSync('ffmpeg', ['-version']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'sps-'));
t.teardown(() => rmSync(folder, { recursive: true }));

function encode(name: string, size: string, options: readonly string[]): Buffer {
  const file = join(folder, `${name}.h264`);
  const source = `testsrc=size=${size}:rate=30`;
  const head = ['-v', 'error', '-f', 'lavfi', '-i', source, '-frames:v', '3', '-c:v', 'libx264'];
  execFileSync('ffmpeg', [...head, ...options, '-f', 'h264', '-y', file]);
  return readFileSync(file);
}

/** The first unit of a type. */
function unit(stream: Buffer, type: number): Buffer {
  const starts: number[] = [];
  for (let at = stream.indexOf('000001', 0, 'hex'); at >= 0; at = stream.indexOf('000001', at + 3, 'hex'))
    starts.push(at);
  const begin = starts.find((at) => ((stream[at + 3] ?? 0) & 0x1f) === type) ?? -1;
  const end = starts.find((at) => at > begin) ?? stream.length;
  const whole = stream.subarray(begin + 3, end);
  return whole.at(-1) === 0 ? whole.subarray(0, -1) : whole;
}

interface Field {
  readonly at: number;
  readonly name: string;
  readonly value: number;
}

/** The fields of the first sequence parameter set of a stream, as FFmpeg reads them. */
function fields(stream: Uint8Array): Field[] {
  const file = join(folder, 'judged.h264');
  writeFileSync(file, stream);
  const args = ['-v', 'trace', '-f', 'h264', '-i', file, '-c', 'copy', '-bsf:v', 'trace_headers', '-f', 'null', '-'];
  const { stderr } = spawnSync('ffmpeg', args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  const lines = stderr.slice(stderr.lastIndexOf('Extradata')).split('\n');
  const begin = lines.findIndex((line) => line.includes('Sequence Parameter Set'));
  const end = lines.findIndex((line, index) => index > begin && line.includes('Picture Parameter Set'));
  return lines.slice(begin, end).flatMap((line) => {
    const [, at, name = '', value] = /\]\s+(\d+)\s+(\S+)\s+[01]+ = (-?\d+)/.exec(line) ?? [];
    return at === undefined ? [] : [{ at: Number(at), name, value: Number(value) }];
  });
}

const startCode = Buffer.from([0, 0, 0, 1]);
const withSps = (stream: Buffer, sps: Uint8Array) =>
  Buffer.concat([startCode, sps, startCode, unit(stream, 8), startCode, unit(stream, 5)]);

/** The same set without a VUI, or without its last part: its bits up to a flag, the flag off, and the end. */
function cut(stream: Buffer, flag: string): Uint8Array {
  const sps = unit(stream, 7);
  const at = fields(withSps(stream, sps)).find(({ name }) => name === flag)?.at ?? 0;
  const raw: number[] = [];
  for (let index = 0; index < sps.length; index++) {
    if (sps[index] === 3 && index > 1 && sps[index - 1] === 0 && sps[index - 2] === 0) continue;
    raw.push(sps[index] ?? 0);
  }
  const bits = `${raw
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
    .slice(0, at)}01`;
  const padded = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0');
  const bytes = (padded.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  const hex = Buffer.from(bytes).toString('hex');
  // Escaped anew, byte by byte.
  let escaped = '';
  for (let index = 0; index < hex.length; index += 2) {
    const byte = hex.slice(index, index + 2);
    escaped += escaped.length % 2 === 0 && escaped.endsWith('0000') && byte <= '03' ? `03${byte}` : byte;
  }
  return Buffer.from(escaped, 'hex');
}

const KINDS: readonly (readonly [name: string, size: string, options: readonly string[]])[] = [
  ['baseline', '590x1280', ['-profile:v', 'baseline', '-pix_fmt', 'yuv420p']],
  [
    'high',
    '1178x2556',
    ['-profile:v', 'high', '-pix_fmt', 'yuv420p', '-bf', '0', '-color_range', 'pc', '-colorspace', 'bt709'],
  ],
  [
    'scaling',
    '320x240',
    ['-pix_fmt', 'yuv420p', '-x264-params', 'cqm=jvt:bframes=0:nal-hrd=vbr:vbv-maxrate=900:vbv-bufsize=900'],
  ],
  ['interlaced', '320x240', ['-pix_fmt', 'yuv420p', '-x264-params', 'interlaced=1:bframes=0:sar=4/3']],
  ['high444', '322x242', ['-pix_fmt', 'yuv444p', '-bf', '0']],
  ['high422', '322x242', ['-pix_fmt', 'yuv422p10le', '-bf', '0']],
];

for (const [name, size, options] of KINDS) {
  t.test(
    `${name}: a set says that nothing is reordered, and all else is as it was`,
    { skip: !hasFfmpeg },
    async (t) => {
      const stream = encode(name, size, options);
      const own = unit(stream, 7);
      const [width, height] = size.split('x').map(Number);
      t.match(readSps(own), { width, height });
      const before = fields(withSps(stream, own));
      t.ok(
        before.some((field) => field.name === 'max_num_reorder_frames' && field.value === 0),
        'x264 says so itself',
      );
      t.equal(Buffer.compare(withoutReordering(own), own), 0, 'and is left alone');
      for (const flag of ['vui_parameters_present_flag', 'bitstream_restriction_flag']) {
        const bare = cut(stream, flag);
        const poor = fields(withSps(stream, bare));
        t.ok(
          poor.some((field) => field.name === flag && field.value === 0),
          `it is without ${flag} first`,
        );
        const after = fields(withSps(stream, withoutReordering(bare)));
        const value = (wanted: string) => after.find((field) => field.name === wanted)?.value;
        t.equal(value('max_num_reorder_frames'), 0);
        t.equal(value('max_dec_frame_buffering'), value('max_num_ref_frames'));
        const kept = poor.slice(
          0,
          poor.findIndex((field) => field.name === flag),
        );
        t.ok(kept.length > 15, `${kept.length} fields`);
        t.same(after.slice(0, kept.length), kept);
        t.match(readSps(withoutReordering(bare)), { width, height, reorderFrames: 0 });
      }
    },
  );
}

t.test('pictures behind a corrected set decode to the same pixels', { skip: !hasFfmpeg }, async (t) => {
  const stream = encode('pixels', '590x1280', ['-pix_fmt', 'yuv420p', '-bf', '0']);
  const bare = cut(stream, 'vui_parameters_present_flag');
  const checksums = [unit(stream, 7), bare, withoutReordering(bare)].map((sps) => {
    const file = join(folder, 'decoded.h264');
    writeFileSync(file, withSps(stream, sps));
    const args = ['-v', 'error', '-i', file, '-pix_fmt', 'yuv420p', '-f', 'md5', '-'];
    return execFileSync('ffmpeg', args, { encoding: 'utf8' });
  });
  t.equal(new Set(checksums).size, 1);
});

t.test('half a set, and bytes that are none, are refused', { skip: !hasFfmpeg }, async (t) => {
  const own = unit(encode('half', '320x240', ['-pix_fmt', 'yuv420p', '-bf', '0']), 7);
  for (let length = 0; length < own.length - 6; length++) {
    t.throws(() => withoutReordering(own.subarray(0, length)), RangeError, `${length} bytes`);
  }
  t.throws(() => withoutReordering(new Uint8Array(100)), RangeError);
  t.throws(() => withoutReordering(new Uint8Array(100).fill(0xff)), RangeError);
  t.throws(() => headOf([]), RangeError);
});
