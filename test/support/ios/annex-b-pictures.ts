import { H264Encoder } from '../../../server/host/stream/h264-encoder.ts';
import { seeded } from '../../conformance/random.ts';

export const [WIDTH, HEIGHT] = [48, 80];

/** Pictures that differ, as an encoder makes them of a screen: every tenth stands by itself. */
export async function annexBPictures(count: number): Promise<Buffer[]> {
  const encoder = new H264Encoder({ encoding: 'h264', quality: 90, maxFps: 30 });
  const random = seeded(31);
  const payloads: Buffer[] = [];
  for (let version = 0; version < count; version++) {
    const pixels = Buffer.from(Array.from({ length: WIDTH * HEIGHT * 4 }, () => Math.floor(random() * 256)));
    const damage = [{ x: 0, y: 0, width: WIDTH, height: HEIGHT }];
    const picture = { pixels, width: WIDTH, height: HEIGHT, orientation: 'portrait', version, damage, inputSeq: 0 };
    const { payload } = await encoder.encode(picture as never, version % 10 === 0, version * 33_000);
    payloads.push(Buffer.from(payload));
  }
  encoder.close();
  return payloads;
}
