/**
 * The meaning of the first byte of a MessagePack value (https://github.com/msgpack/msgpack/blob/master/spec.md), for all
 * types but extension types, which messages do not use.
 */

export const Kind = { Refused: 0, Scalar: 1, Unsigned64: 2, Signed64: 3, Binary: 4, Text: 5, List: 6, Map: 7 } as const;

/** Bytes from `first` to `last`, the kind of value that they begin, and how many bytes of value or of length follow. */
const ROWS: readonly (readonly [first: number, last: number, kind: number, width: number])[] = [
  [0x00, 0x7f, Kind.Scalar, 0], // small integer: the byte is the value
  [0x80, 0x8f, Kind.Map, 0], // the low bits are the length
  [0x90, 0x9f, Kind.List, 0],
  [0xa0, 0xbf, Kind.Text, 0],
  [0xc0, 0xc0, Kind.Scalar, 0], // nil; 0xc1 is never used
  [0xc2, 0xc3, Kind.Scalar, 0], // false, true
  [0xc4, 0xc4, Kind.Binary, 1],
  [0xc5, 0xc5, Kind.Binary, 2],
  [0xc6, 0xc6, Kind.Binary, 4],
  [0xca, 0xca, Kind.Scalar, 4], // float 32
  [0xcb, 0xcb, Kind.Scalar, 8], // float 64
  [0xcc, 0xcc, Kind.Scalar, 1], // unsigned integers
  [0xcd, 0xcd, Kind.Scalar, 2],
  [0xce, 0xce, Kind.Scalar, 4],
  [0xcf, 0xcf, Kind.Unsigned64, 8],
  [0xd0, 0xd0, Kind.Scalar, 1], // signed integers
  [0xd1, 0xd1, Kind.Scalar, 2],
  [0xd2, 0xd2, Kind.Scalar, 4],
  [0xd3, 0xd3, Kind.Signed64, 8],
  [0xd9, 0xd9, Kind.Text, 1],
  [0xda, 0xda, Kind.Text, 2],
  [0xdb, 0xdb, Kind.Text, 4],
  [0xdc, 0xdc, Kind.List, 2],
  [0xdd, 0xdd, Kind.List, 4],
  [0xde, 0xde, Kind.Map, 2],
  [0xdf, 0xdf, Kind.Map, 4],
  [0xe0, 0xff, Kind.Scalar, 0], // small negative integer
];

/** The kind of a value by its first byte. */
export const KIND_OF = new Uint8Array(256);
/** Bytes that follow the first one: the value of a scalar, the length of everything longer. */
export const WIDTH_OF = new Uint8Array(256);
/** The length that is packed into the first byte itself. */
export const SHORT_LENGTH_OF = new Uint8Array(256);

for (const [first, last, kind, width] of ROWS) {
  for (let byte = first; byte <= last; byte++) {
    KIND_OF[byte] = kind;
    WIDTH_OF[byte] = width;
    SHORT_LENGTH_OF[byte] = kind >= Kind.Binary && width === 0 ? byte - first : 0;
  }
}
