import t from 'tap';
import type { EncodedScreen } from '../../../server/device/driver.ts';
import { CaptureGate } from '../../../server/host/capture-gate.ts';
import { ScreenPipeline } from '../../../server/host/stream/screen-pipeline.ts';
import type { StreamPicture } from '../../../server/link/messages.ts';
import { ScriptedDevice } from '../../support/scripted-device.ts';

type Listener = Parameters<EncodedScreen['start']>[0];

/** A device that encodes its screen itself, and tells packets when the test says so. */
function open() {
  const device = new ScriptedDevice();
  const log: string[] = [];
  const state: { listener: Listener | undefined } = { listener: undefined };
  const encoded: EncodedScreen = {
    start(listener) {
      log.push('start');
      state.listener = listener;
      return () => log.push('stop');
    },
    requestKey: () => void log.push('key'),
  };
  const pictures: StreamPicture[] = [];
  const ended: string[] = [];
  const sink = {
    picture: (_: number, picture: StreamPicture) => void pictures.push(picture),
    ended: (_: number, reason: string) => void ended.push(reason),
  };
  const made: string[] = [];
  const pipeline = new ScreenPipeline(Object.assign(device, { encoded }), new CaptureGate(device), sink, {
    createEncoder: async ({ encoding }) => {
      made.push(encoding);
      throw new Error('none here');
    },
  });
  const packet = (key: boolean, byte: number) =>
    state.listener?.packet({
      key,
      payload: new Uint8Array([byte]),
      width: 4,
      height: 6,
      orientation: 'portrait',
      inputSeq: byte,
      ...(key ? { codec: 'avc1.42c01e' } : {}),
    });
  return { pipeline, log, pictures, ended, made, packet, tellEnd: (why: string) => state.listener?.ended(why) };
}

const full = { encoding: 'h264', quality: 70, maxFps: 60 } as const;

t.test('packets of a device that encodes its screen reach the viewer as they are, without an encoder', async (t) => {
  const { pipeline, log, pictures, made, packet } = open();
  await pipeline.watch(1, full);
  packet(true, 1);
  packet(false, 2);
  t.same(
    pictures.map(({ key, payload, codec, inputSeq }) => [key, payload[0], codec, inputSeq]),
    [
      [true, 1, 'avc1.42c01e', 1],
      [false, 2, 'avc1.42c01e', 2],
    ],
  );
  t.same(made, []);
  pipeline.unwatch(1);
  t.equal(log.at(-1), 'stop');
});

t.test('another size and another encoding are encoded here', async (t) => {
  const { pipeline, log, made, ended } = open();
  await pipeline.watch(1, { ...full, maxLongEdge: 3 });
  await pipeline.watch(2, { ...full, encoding: 'jpeg' });
  t.same(made, ['h264', 'jpeg']);
  t.equal(ended.length, 2);
  t.same(log, []);
});

t.test('packets begin with a key packet, and when they end the stream is encoded here', async (t) => {
  const { pipeline, pictures, ended, packet, tellEnd, log, made } = open();
  await pipeline.watch(1, full);
  packet(false, 9);
  t.equal(pictures.length, 0, 'nothing before the first key packet');
  pipeline.requestKey(1);
  pipeline.requestKey(1);
  t.ok(log.filter((entry) => entry === 'key').length <= 1, 'requests are merged');
  packet(true, 1);
  t.equal(pictures.length, 1);
  t.same(made, []);
  tellEnd('the device was turned');
  await new Promise((resolve) => setImmediate(resolve));
  t.same(made, ['h264'], 'the stream goes on with what is captured, where there is an encoder');
  t.match(ended, [/none here/]);
  t.equal(log.at(-1), 'stop');
});
