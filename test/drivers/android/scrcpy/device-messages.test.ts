import t from 'tap';
import { DeviceMessageReader } from '../../../../server/drivers/android/scrcpy/device-messages.ts';

function clipboard(text: string): Buffer {
  const bytes = Buffer.from(text);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

const ACKNOWLEDGED = Buffer.from([1, 0, 0, 0, 0, 0, 0, 0, 7]);
const KEYBOARD = Buffer.from([2, 0, 1, 0, 3, 1, 2, 3]);

t.test('clipboards are read between other messages, wherever the bytes are cut', async (t) => {
  const all = Buffer.concat([ACKNOWLEDGED, clipboard('你好 😀'), KEYBOARD, clipboard(''), clipboard('a')]);
  for (let cut = 0; cut <= all.length; cut++) {
    const reader = new DeviceMessageReader();
    t.same([...reader.read(all.subarray(0, cut)), ...reader.read(all.subarray(cut))], ['你好 😀', '', 'a'], `${cut}`);
  }
});

t.test('what is no message is refused, and so is a clipboard that the server would have cut', async (t) => {
  t.throws(() => new DeviceMessageReader().read(Buffer.of(3)), RangeError);
  const huge = Buffer.from([0, 0, 4, 0, 0]);
  t.throws(() => new DeviceMessageReader().read(huge), RangeError);
  t.same(new DeviceMessageReader().read(Buffer.from([0, 0, 3, 255, 251])), [], 'the longest may still come');
});
