import { AV_CODEC_ID_H264 } from 'node-av/constants';
import { Codec, CodecContext, FFmpegError, FormatContext, Frame, Packet } from 'node-av/lib';
import type { Picture } from '../device/driver.ts';

type Size = Pick<Picture, 'width' | 'height'>;

/** Decodes a file's first picture and returns its size. Rejects with FFmpeg's error if it cannot be decoded. */
export async function decodeFirstPicture(file: string): Promise<Size> {
  const input = new FormatContext();
  const decoder = new CodecContext();
  const packet = new Packet();
  const frame = new Frame();
  input.allocContext();
  packet.alloc();
  frame.alloc();
  try {
    check(await input.openInput(file), 'open');
    const parameters = input.streams[0]?.codecpar;
    const codec = Codec.findDecoder(AV_CODEC_ID_H264);
    if (!parameters || !codec) throw new Error('there is no picture to decode');
    decoder.allocContext3(codec);
    check(decoder.parametersToContext(parameters), 'parameters');
    // With several threads the decoder returns a picture only after further ones.
    check(decoder.setOption('threads', '1'), 'option');
    // A picture with errors counts as undecodable.
    check(decoder.setOption('err_detect', 'explode'), 'option');
    check(decoder.open2Sync(codec), 'decoder');
    check(await input.readFrame(packet), 'read');
    check(await decoder.sendPacket(packet), 'decode');
    check(await decoder.sendPacket(null), 'decode');
    check(await decoder.receiveFrame(frame), 'decode');
    return { width: frame.width, height: frame.height };
  } finally {
    frame.free();
    packet.free();
    decoder.freeContext();
    await input.closeInput();
  }
}

function check(result: number, what: string): void {
  FFmpegError.throwIfError(result, what);
}
