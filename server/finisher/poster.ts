import { lstat } from 'node:fs/promises';
import jpeg from '@julusian/jpeg-turbo';
import { AV_PIX_FMT_RGB24 } from 'node-av/constants';
import { FFmpegError, Frame, SoftwareScaleContext } from 'node-av/lib';
import { isStorageTrouble, storageFault } from '../capture/storage-fault.ts';
import { RecordingFault } from '../link/recording-fault.ts';
import type { PosterOrder } from '../link/recording-messages.ts';
import { decodePicture } from './decode-picture.ts';

/** Pixels: large enough for a list and for the player of a display of two pixels per point. */
export const POSTER_LONG_EDGE = 640;
const QUALITY = 75;

/**
 * Makes the poster of a finished object: a JPEG of a picture near its middle, as it stands in the video. Rejects with a
 * `RecordingFault`: `container_invalid` if the object has another size than its record says, or a picture that does not decode.
 */
export async function makePoster({ file, byteSize }: PosterOrder): Promise<Uint8Array> {
  try {
    const stats = await lstat(file);
    if (!stats.isFile() || stats.size !== byteSize) throw new Error('it is not the file of its record');
    return await decodePicture(file, 'middle', encode);
  } catch (error) {
    throw isStorageTrouble(error) ? storageFault(error, 'verify') : invalid(error);
  }
}

function encode(frame: Frame): Uint8Array {
  const scale = Math.min(1, POSTER_LONG_EDGE / Math.max(frame.width, frame.height));
  const width = Math.max(1, Math.round(frame.width * scale));
  const height = Math.max(1, Math.round(frame.height * scale));
  const scaler = new SoftwareScaleContext();
  const small = new Frame();
  try {
    scaler.allocContext();
    // The mean of what a pixel covers: letters stay readable when they shrink.
    FFmpegError.throwIfError(scaler.setOption('sws_flags', 'area'), 'scaler');
    small.alloc();
    small.format = AV_PIX_FMT_RGB24;
    small.width = width;
    small.height = height;
    // Rows without gaps between them.
    FFmpegError.throwIfError(small.getBuffer(1), 'frame');
    FFmpegError.throwIfError(scaler.scaleFrameSync(small, frame), 'scaler');
    const [pixels] = small.data ?? [];
    if (!pixels) throw new Error('the frame has no pixels');
    const options = { width, height, format: jpeg.FORMAT_RGB, quality: QUALITY, subsampling: jpeg.SAMP_420 };
    // A copy of its own: to cross the link, the whole memory of a part is copied.
    return Uint8Array.from(jpeg.compressSync(pixels.subarray(0, width * height * 3), options));
  } finally {
    scaler.freeContext();
    small.free();
  }
}

const MESSAGE = 'The stored recording has no picture that can be shown.';

function invalid(reason: unknown): RecordingFault {
  return new RecordingFault({ stage: 'verify', code: 'container_invalid', message: MESSAGE, retryable: false }, reason);
}
