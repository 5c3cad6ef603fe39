import { NAL, nalType } from './nal-unit.ts';
import { annexB, type StreamHead } from './stream-head.ts';

/** Parameter sets, which are put before key pictures again, and units that decoders do not need. */
const LEFT_OUT: readonly number[] = [NAL.sps, NAL.pps, NAL.accessUnitDelimiter, NAL.filler];

export interface AccessUnit {
  readonly key: boolean;
  /** In Annex B, in memory of its own; a key picture begins with the parameter sets. */
  readonly payload: Uint8Array<ArrayBuffer>;
}

/** Converts a picture whose units are prefixed with their lengths. Throws a `RangeError` for an incomplete picture. */
export function fromLengths(sample: Uint8Array, head: StreamHead): AccessUnit {
  const units: Uint8Array[] = [];
  let at = 0;
  while (at < sample.length) {
    let length = 0;
    for (let index = 0; index < head.lengthBytes; index++) length = length * 256 + (sample[at + index] ?? 0);
    at += head.lengthBytes;
    if (length === 0 || at + length > sample.length) throw new RangeError('a picture of the stream is cut');
    units.push(sample.subarray(at, at + length));
    at += length;
  }
  return accessUnit(units, head);
}

/** Joins the units of one picture for a viewer. Throws a `RangeError` if there is no picture among them. */
export function accessUnit(units: readonly Uint8Array[], head: StreamHead): AccessUnit {
  const types = units.map(nalType);
  if (!types.some((type) => type === NAL.idr || type === NAL.slice))
    throw new RangeError('a picture of the stream is empty');
  const key = types.includes(NAL.idr);
  const kept = units.filter((unit) => !LEFT_OUT.includes(nalType(unit)));
  const picture = annexB(kept);
  if (!key) return { key, payload: picture };
  const payload = new Uint8Array(head.parameterSets.length + picture.length);
  payload.set(head.parameterSets);
  payload.set(picture, head.parameterSets.length);
  return { key, payload };
}
