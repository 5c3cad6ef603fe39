import type { ScreenEncoding } from '@runcloud/protocol';
import type { StreamPicture } from '../../server/link/messages.ts';

/** Simulations take thousands of pictures a second, and the zeros of all of them are the same. */
let zeros = new Uint8Array(0);

function zerosOf(bytes: number): Uint8Array<ArrayBuffer> {
  if (zeros.byteLength < bytes) zeros = new Uint8Array(bytes);
  return zeros.subarray(0, bytes);
}

/** A picture of a stream whose payload is zeros. */
export function picture(fields: Partial<StreamPicture> & { readonly bytes?: number } = {}): StreamPicture {
  const { bytes = 100, ...rest } = fields;
  const encoding: ScreenEncoding = fields.encoding ?? 'jpeg';
  return {
    key: encoding !== 'h264',
    unchanged: false,
    encoding,
    ...(encoding === 'h264' ? { codec: 'avc1.42c01f' } : {}),
    orientation: 'portrait',
    inputSeq: 0,
    capturedAtUs: 0,
    width: 590,
    height: 1280,
    encodings: 1,
    payload: zerosOf(bytes),
    ...rest,
  };
}
