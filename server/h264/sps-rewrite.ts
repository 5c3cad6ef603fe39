import { BitReader, BitWriter } from './bits.ts';
import { escapePayload } from './escape.ts';
import { readSps } from './sps.ts';

/** Values of E.2.1 that set no limit for picture bytes, macroblock bits and motion vectors. */
const UNBOUNDED_BYTES = 0;
const UNBOUNDED_BITS = 0;
const LONGEST_VECTOR_LOG2 = 16;

/**
 * Adds to a sequence parameter set the declaration that pictures are not reordered (`max_num_reorder_frames` 0). Without it
 * a decoder must assume the worst case of the level and holds back up to sixteen pictures. A set that already declares
 * its reordering is returned unchanged; all other bits of a set are kept. Throws a `RangeError` for an invalid set.
 *
 * Use it only for streams without B-frames, such as those of simulator helpers and phone encoders.
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

/** Writes `vui_parameters_present_flag` and a VUI without any field before `bitstream_restriction_flag`. */
function writeEmptyVui(writer: BitWriter): void {
  writer.bits(1, 1);
  // Aspect ratio, overscan, signal type, chroma location, timing, both buffer models, picture structure.
  writer.bits(0, 8);
}
