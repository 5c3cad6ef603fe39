import { AV_CODEC_ID_H264, AVSEEK_FLAG_BACKWARD } from 'node-av/constants';
import { Codec, CodecContext, FFmpegError, FormatContext, Frame, Packet } from 'node-av/lib';

/** Which picture: the first one, or the last key picture before the middle. One picture is decoded for either. */
export type Place = 'first' | 'middle';

/**
 * Decodes one picture of a file and hands it to `use`, after which its memory is freed. Rejects with FFmpeg's error if it
 * cannot be decoded, or not without faults.
 */
export async function decodePicture<T>(file: string, place: Place, use: (frame: Frame) => T): Promise<T> {
  const input = new FormatContext();
  const decoder = new CodecContext();
  const packet = new Packet();
  const frame = new Frame();
  input.allocContext();
  packet.alloc();
  frame.alloc();
  try {
    check(await input.openInput(file), 'open');
    const [stream] = input.streams;
    const codec = Codec.findDecoder(AV_CODEC_ID_H264);
    if (!stream || !codec) throw new Error('there is no picture to decode');
    decoder.allocContext3(codec);
    check(decoder.parametersToContext(stream.codecpar), 'parameters');
    // With several threads the decoder returns a picture only after further ones.
    check(decoder.setOption('threads', '1'), 'option');
    // A picture with errors counts as undecodable.
    check(decoder.setOption('err_detect', 'explode'), 'option');
    check(decoder.open2Sync(codec), 'decoder');
    if (place === 'middle') check(await input.seekFrame(0, stream.duration / 2n, AVSEEK_FLAG_BACKWARD), 'seek');
    check(await input.readFrame(packet), 'read');
    check(await decoder.sendPacket(packet), 'decode');
    check(await decoder.sendPacket(null), 'decode');
    check(await decoder.receiveFrame(frame), 'decode');
    return use(frame);
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
