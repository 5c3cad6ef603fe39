import { BitReader } from './bits.ts';
import { unescapeUnit } from './escape.ts';
import { NAL, nalType } from './nal-unit.ts';

/** The fields that are read from a sequence parameter set (ITU-T H.264, 7.3.2.1.1 and E.1.1). */
export interface SequenceParameters {
  /** Size of the visible picture after cropping, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly maxRefFrames: number;
  /** The payload without emulation prevention bytes. */
  readonly payload: Uint8Array;
  /** Position of `vui_parameters_present_flag`, in bits. */
  readonly vuiAt: number;
  /** Position of `bitstream_restriction_flag`, in bits; `undefined` without a VUI. */
  readonly restrictionAt: number | undefined;
  /** `max_num_reorder_frames`; `undefined` if the set does not contain it. */
  readonly reorderFrames: number | undefined;
}

/** Profiles whose sets contain a chroma format and scaling lists. */
const HIGH_PROFILES = [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135];
const EXTENDED_SAR = 255;
const CYCLE_MAX = 255;
const CPB_MAX = 32;
/** The longest edge of level 6.2: 8 times the root of its 139,264 macroblocks. */
const MACROBLOCKS_PER_EDGE_MAX = 1_056;

/** Reads a unit of type 7, including its header byte. Throws a `RangeError` for a truncated or invalid one. */
export function readSps(unit: Uint8Array): SequenceParameters {
  if (nalType(unit) !== NAL.sps) throw new RangeError('this is no sequence parameter set');
  const payload = unescapeUnit(unit);
  const reader = new BitReader(payload);
  reader.bits(8);
  const profile = reader.bits(8);
  reader.bits(16);
  reader.unsigned();
  const chromaFormat = HIGH_PROFILES.includes(profile) ? readFormat(reader) : 1;
  reader.unsigned();
  readPictureOrder(reader);
  const maxRefFrames = reader.unsigned();
  reader.bit();
  const size = readSize(reader, chromaFormat);
  const vuiAt = reader.position;
  if (!reader.flag())
    return { ...size, maxRefFrames, payload, vuiAt, restrictionAt: undefined, reorderFrames: undefined };
  skipVui(reader);
  const restrictionAt = reader.position;
  return { ...size, maxRefFrames, payload, vuiAt, restrictionAt, reorderFrames: readReorderFrames(reader) };
}

/** Returns `chroma_format_idc`. */
function readFormat(reader: BitReader): number {
  const chromaFormat = reader.unsigned();
  if (chromaFormat === 3) reader.bit();
  reader.unsigned();
  reader.unsigned();
  reader.bit();
  if (reader.flag()) {
    const lists = chromaFormat === 3 ? 12 : 8;
    for (let list = 0; list < lists; list++) if (reader.flag()) skipScalingList(reader, list < 6 ? 16 : 64);
  }
  return chromaFormat;
}

function skipScalingList(reader: BitReader, size: number): void {
  let last = 8;
  let next = 8;
  for (let index = 0; index < size; index++) {
    if (next !== 0) next = (last + reader.signed() + 256) % 256;
    last = next === 0 ? last : next;
  }
}

function readPictureOrder(reader: BitReader): void {
  const type = reader.unsigned();
  if (type === 0) reader.unsigned();
  if (type !== 1) return;
  reader.bit();
  reader.signed();
  reader.signed();
  const cycle = reader.unsigned();
  if (cycle > CYCLE_MAX) throw new RangeError('the parameter set has too long a cycle');
  for (let index = 0; index < cycle; index++) reader.signed();
}

function readSize(reader: BitReader, chromaFormat: number) {
  const columns = reader.unsigned() + 1;
  const rows = reader.unsigned() + 1;
  const framesOnly = reader.bit();
  if (framesOnly === 0) reader.bit();
  reader.bit();
  const [left, right, top, bottom] = reader.flag()
    ? [reader.unsigned(), reader.unsigned(), reader.unsigned(), reader.unsigned()]
    : [0, 0, 0, 0];
  if (columns > MACROBLOCKS_PER_EDGE_MAX || rows > MACROBLOCKS_PER_EDGE_MAX) {
    throw new RangeError('the parameter set tells of too large a picture');
  }
  const across = chromaFormat === 1 || chromaFormat === 2 ? 2 : 1;
  const down = (chromaFormat === 1 ? 2 : 1) * (2 - framesOnly);
  const width = columns * 16 - across * (left + right);
  const height = rows * 16 * (2 - framesOnly) - down * (top + bottom);
  if (width <= 0 || height <= 0) throw new RangeError('the parameter set crops the whole picture');
  return { width, height };
}

/** Skips to `bitstream_restriction_flag`. */
function skipVui(reader: BitReader): void {
  if (reader.flag() && reader.bits(8) === EXTENDED_SAR) reader.bits(32);
  if (reader.flag()) reader.bit();
  if (reader.flag()) {
    reader.bits(4);
    if (reader.flag()) reader.bits(24);
  }
  if (reader.flag()) {
    reader.unsigned();
    reader.unsigned();
  }
  if (reader.flag()) {
    reader.bits(32);
    reader.bits(32);
    reader.bit();
  }
  const nal = reader.flag();
  if (nal) skipHrd(reader);
  const vcl = reader.flag();
  if (vcl) skipHrd(reader);
  if (nal || vcl) reader.bit();
  reader.bit();
}

function skipHrd(reader: BitReader): void {
  const count = reader.unsigned() + 1;
  if (count > CPB_MAX) throw new RangeError('the parameter set has too many buffers');
  reader.bits(8);
  for (let index = 0; index < count; index++) {
    reader.unsigned();
    reader.unsigned();
    reader.bit();
  }
  reader.bits(20);
}

function readReorderFrames(reader: BitReader): number | undefined {
  if (!reader.flag()) return undefined;
  reader.bit();
  for (let index = 0; index < 4; index++) reader.unsigned();
  return reader.unsigned();
}
