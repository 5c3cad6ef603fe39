import { BufferedReadableStream, ReadableStream } from '@yume-chan/stream-extra';
import t from 'tap';
import { readClipboards } from '../../../../server/drivers/android/scrcpy/device-messages.ts';

function clipboard(text: string): Buffer {
  const bytes = Buffer.from(text);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

const ACKNOWLEDGED = Buffer.from([1, 0, 0, 0, 0, 0, 0, 0, 7]);
const KEYBOARD = Buffer.from([2, 0, 1, 0, 3, 1, 2, 3]);

/** Reads a stream that ends after these pieces; `refused` where it says what is no message. */
async function read(...pieces: readonly Buffer[]): Promise<string[]> {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) if (piece.length > 0) controller.enqueue(piece);
      controller.close();
    },
  });
  const texts: string[] = [];
  try {
    for await (const text of readClipboards(new BufferedReadableStream(stream))) texts.push(text);
  } catch (error) {
    if (error instanceof RangeError) texts.push('refused');
  }
  return texts;
}

t.test('clipboards are read between other messages, wherever the bytes are cut', async (t) => {
  const all = Buffer.concat([ACKNOWLEDGED, clipboard('你好 😀'), KEYBOARD, clipboard(''), clipboard('a')]);
  for (let cut = 0; cut <= all.length; cut++) {
    t.same(await read(all.subarray(0, cut), all.subarray(cut)), ['你好 😀', '', 'a'], `${cut}`);
  }
});

t.test('what is no message is refused, and so is a clipboard that the server would have cut', async (t) => {
  t.same(await read(clipboard('a'), Buffer.of(3)), ['a', 'refused']);
  t.same(await read(Buffer.from([0, 0, 4, 0, 0])), ['refused']);
  const longest = 'a'.repeat(262_139);
  t.same(await read(clipboard(longest)), [longest]);
});
