import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import type { Picture, ScreenPacket } from '../../../server/device/driver.ts';
import { IosDriver } from '../../../server/drivers/ios/ios-driver.ts';
import { PictureDecoder } from '../../../server/drivers/video/picture-decoder.ts';
import { readSps } from '../../../server/h264/sps.ts';
import { StandInMac, type StandInOptions } from '../../support/ios/stand-in-mac.ts';

const common = { requestId: 'r', timeoutMs: 15_000 };
const context = (inputSeq: number) => ({ inputSeq, signal: new AbortController().signal });

async function open(options: StandInOptions) {
  const mac = await StandInMac.start(options);
  const driver = new IosDriver();
  const [found] = await driver.discover({ driver: 'ios-simulator', which: 'iPhone Stand-In', tools: mac.tools });
  if (!found) throw new Error('nothing was found');
  const device = await driver.open(found.target, { platform: 'ios', target: found.target });
  const close = async () => {
    await device.close();
    await driver.close();
    await mac.close();
  };
  return { mac, device, close, guest: mac.booted.guest };
}

/** How far two pictures are apart, on average of all samples. */
function difference(one: Picture, other: Picture): number {
  let sum = 0;
  for (let at = 0; at < one.pixels.length; at += 41) sum += Math.abs((one.pixels[at] ?? 0) - (other.pixels[at] ?? 0));
  return sum / Math.ceil(one.pixels.length / 41);
}

/** Waits until a condition is true, for at most twenty seconds. */
async function until(fits: () => boolean): Promise<void> {
  for (let tries = 0; tries < 800 && !fits(); tries++) await sleep(25);
}

for (const helper of ['serve-sim', 'idb_companion'] as const) {
  t.test(`the packets of ${helper} pass through as they are, and decode to what the guest shows`, async (t) => {
    const { device, close, guest } = await open({ helpers: [helper] });
    const packets: ScreenPacket[] = [];
    const stop = device.encoded?.start({ packet: (packet) => packets.push(packet), ended: (reason) => t.fail(reason) });
    await until(() => packets.length > 0);
    const [first] = packets;
    t.match(first, { key: true, width: 590, height: 1280, orientation: 'portrait', codec: /^avc1\.42c0/i });
    const sps = Buffer.from(first?.payload ?? []);
    t.equal(sps.subarray(0, 5).toString('hex'), '0000000167', 'a key packet begins with the parameter sets');
    t.equal(readSps(sps.subarray(4, sps.indexOf('00000001', 5, 'hex'))).reorderFrames, 0);
    const shown = () => {
      const decoder = new PictureDecoder();
      for (const { payload } of packets.slice(packets.findLastIndex(({ key }) => key))) decoder.push(payload);
      const decoded = decoder.pixels();
      decoder.close();
      return decoded;
    };
    await device.perform({ ...common, action: 'pressButton', button: 'power', durationMs: 50 }, context(7));
    // The screen goes dark, and stays so.
    let apart = Number.POSITIVE_INFINITY;
    await until(() => {
      apart = difference({ ...guest.picture(), ...shown() } as Picture, guest.picture());
      return apart < 4;
    });
    t.ok(apart < 4, `it is the guest's picture: ${apart}`);
    t.match(shown(), { width: 590, height: 1280 });
    const known = packets.length;
    device.encoded?.requestKey();
    await until(() => packets.slice(known).some(({ key }) => key));
    t.ok(
      packets.slice(known).some(({ key }) => key),
      'a key packet comes when it is asked for, also of a still screen',
    );
    t.equal(packets.at(-1)?.inputSeq, 7);
    stop?.();
    await close();
  });
}

t.test('pictures of the panel are turned for whoever captures, and end the packets', async (t) => {
  const { device, close, guest } = await open({ rawPanel: true });
  const ended = new Promise<string>((resolve) => device.encoded?.start({ packet: () => undefined, ended: resolve }));
  for (const orientation of ['landscape_left', 'landscape_right'] as const) {
    await device.perform({ ...common, action: 'rotate', orientation }, context(1));
    let captured = await device.capture();
    for (let tries = 0; tries < 400 && difference(captured, guest.picture()) >= 4; tries++) {
      await sleep(50);
      captured = await device.capture();
    }
    t.match(captured, { width: 1280, height: 590, orientation });
    t.ok(difference(captured, guest.picture()) < 4, `${orientation} is upright`);
  }
  t.match(await ended, /turned/);
  await close();
});
