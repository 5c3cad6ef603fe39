import { BitReader, BitWriter } from './bits.ts';
import { escapePayload } from './escape.ts';
import { readSps } from './sps.ts';

/** E.2.1: no bound of their own for picture bytes, macroblock bits and motion vectors. */
const UNBOUNDED_BYTES = 0;
const UNBOUNDED_BITS = 0;
const LONGEST_VECTOR_LOG2 = 16;

/**
 * A sequence parameter set that says that pictures come in the order in which they are shown. Without that word a decoder
 * has to expect the worst that the level allows, and holds up to sixteen pictures back. A set that says anything about it
 * is returned as it is; everything else of a set is kept to the bit. Throws a `RangeError` for one that cannot be read.
 *
 * Only for streams that have no B-frames: the helpers of simulators and the encoders of phones make none.
 */
export function withoutReordering(unit: Uint8Array): Uint8Array {
  const { payload, vuiAt, restrictionAt, reorderFrames, maxRefFrames } = readSps(unit);
  if (reorderFrames !== undefined) return unit;
  const reader = new BitReader(payload);
  const writer = new BitWriter();
  writer.copy(reader, restrictionAt ?? vuiAt);
  if (restrictionAt === undefined) writeEmptyVui(writer);
  writer.bits(1, 1);
  writer.bits(1, 1);
  writer.unsigned(UNBOUNDED_BYTES);
  writer.unsigned(UNBOUNDED_BITS);
  writer.unsigned(LONGEST_VECTOR_LOG2);
  writer.unsigned(LONGEST_VECTOR_LOG2);
  writer.unsigned(0);
  writer.unsigned(maxRefFrames);
  return escapePayload(writer.end());
}

/** `vui_parameters_present_flag`, and nothing told up to `bitstream_restriction_flag`. */
function writeEmptyVui(writer: BitWriter): void {
  writer.bits(1, 1);
  // Aspect ratio, overscan, signal type, chroma place, timing, both buffer models, picture structure.
  writer.bits(0, 8);
}
