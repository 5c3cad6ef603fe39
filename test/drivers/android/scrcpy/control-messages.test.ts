import t from 'tap';
import {
  answersIn,
  getClipboardMessage,
  keyMessage,
  metaState,
  questionMessage,
  resetVideoMessage,
  setClipboardMessage,
  textMessage,
  touchMessage,
} from '../../../../server/drivers/android/scrcpy/control-messages.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(/\s/g, ''), 'hex');

t.test('a key is its action, code, repeat count and meta state', async (t) => {
  t.same(keyMessage('down', 66, 0x41), hex('00 00 00000042 00000000 00000041'));
  t.same(keyMessage('up', 3, 0), hex('00 01 00000003 00000000 00000000'));
});

t.test('modifiers are told with the side that they are on', async (t) => {
  t.equal(metaState([]), 0);
  t.equal(metaState(['shift']), 0x41);
  t.equal(metaState(['control']), 0x3000);
  t.equal(metaState(['alt']), 0x12);
  t.equal(metaState(['meta']), 0x30000);
  t.equal(metaState(['shift', 'control', 'alt', 'meta']), 0x33053);
});

t.test('a text is told with its length in bytes, and not beyond what the server takes', async (t) => {
  t.same(textMessage('aé'), hex('01 00000003 61 c3a9'));
  t.equal(textMessage('x'.repeat(300)).length, 305);
  t.throws(() => textMessage('x'.repeat(301)), RangeError);
  t.throws(() => textMessage('é'.repeat(151)), RangeError);
});

t.test('a finger is told with its place, the size of the video and how hard it presses', async (t) => {
  const video = { width: 1_080, height: 2_400 };
  t.same(
    touchMessage('down', 0, { x: 100, y: 200 }, video),
    hex('02 00 0000000000000000 00000064 000000c8 0438 0960 ffff 00000000 00000000'),
  );
  t.same(
    touchMessage('move', 1, { x: 1_079, y: 2_399 }, video),
    hex('02 02 0000000000000001 00000437 0000095f 0438 0960 ffff 00000000 00000000'),
  );
  t.same(
    touchMessage('up', 1, { x: 0, y: 0 }, video),
    hex('02 01 0000000000000001 00000000 00000000 0438 0960 0000 00000000 00000000'),
  );
});

t.test(
  'the clipboard is set without a paste and without an acknowledgement, and asked for without a key',
  async (t) => {
    t.same(setClipboardMessage('aé'), hex('09 0000000000000000 00 00000003 61 c3a9'));
    t.same(setClipboardMessage(''), hex('09 0000000000000000 00 00000000'));
    t.same(getClipboardMessage(), hex('08 00'));
  },
);

t.test('a video that is to begin anew is asked for in one byte', async (t) => {
  t.same(resetVideoMessage(), hex('11'));
});

t.test('a question is a character that no keyboard has, and its answer names it', async (t) => {
  t.same(questionMessage(0), hex('01 00000003 ee8080'));
  t.same(questionMessage(0x7ff), hex('01 00000003 ee9fbf'));
  t.same(questionMessage(0x800), questionMessage(0), 'counted round');
  t.same(answersIn('[server] WARN: Could not inject char u+e000'), [0]);
  t.same(answersIn('[server] WARN: Could not inject char u+e7ff'), [0x7ff]);
  for (const line of [
    '',
    'Could not inject char u+0041',
    'Could not inject char u+e800',
    'Could not inject char u+e00',
    'Could not inject char u+e0001',
    'u+e000',
  ]) {
    t.same(answersIn(line), [], line);
  }
});
