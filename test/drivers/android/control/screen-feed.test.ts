import { EventEmitter } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import type { ControlClient } from '../../../../server/drivers/android/control/control-client.ts';
import type { Image } from '../../../../server/drivers/android/control/messages.ts';
import { ScreenFeed } from '../../../../server/drivers/android/control/screen-feed.ts';

const SIZE = { width: 4, height: 6 };
const BYTES = SIZE.width * SIZE.height * 4;

const picture = (value: number, more: Partial<Image> = {}): Image => ({
  format: { format: 1, ...SIZE, rotation: { rotation: 0 } },
  image: Buffer.alloc(BYTES, value),
  seq: 1,
  timestampUs: 0,
  ...more,
});

class FakeCall extends EventEmitter {
  cancelled = false;
  readonly handle: string | undefined;

  constructor(handle: string | undefined) {
    super();
    this.handle = handle;
  }

  cancel(): void {
    this.cancelled = true;
    this.emit('error', new Error('cancelled'));
  }
}

function open(t: Test, folder?: string) {
  const calls: FakeCall[] = [];
  const told = { frames: 0, ended: [] as string[] };
  const answer = { picture: picture(1, { timestampUs: 1_000 }), underWay: undefined as (() => void) | undefined };
  const client = {
    screenshot: async () => {
      const { picture, underWay } = answer;
      underWay?.();
      return picture;
    },
    streamScreenshot({ transport }: { transport?: { handle: string } | null }) {
      const call = new FakeCall(transport?.handle.replace('file://', ''));
      calls.push(call);
      return call;
    },
  };
  const feed = new ScreenFeed(client as unknown as ControlClient, SIZE, {
    folder,
    onFrame: () => void told.frames++,
    onEnded: (reason) => void told.ended.push(reason),
  });
  t.teardown(() => feed.close());
  const say = (image: Image) => calls.at(-1)?.emit('data', image);
  const value = () => feed.take().pixels[0];
  return { feed, calls, told, answer, say, value };
}

t.test('a picture that was asked for is not replaced by an older one that was under way', async (t) => {
  const { feed, answer, say, value, told } = open(t);
  await feed.begin();
  say(picture(2, { timestampUs: 999 }));
  t.same([value(), told.frames], [1, 0]);
  say(picture(3, { timestampUs: 1_001 }));
  t.same([value(), told.frames], [3, 1]);
  Object.assign(answer, {
    picture: picture(6, { timestampUs: 1_002 }),
    underWay: () => say(picture(7, { timestampUs: 1_003 })),
  });
  await feed.refresh();
  t.equal(value(), 7, 'nor is a newer one that came before the answer');
  Object.assign(answer, { picture: picture(8, { timestampUs: 1_004 }) });
  await feed.refresh();
  t.equal(value(), 8, 'an older one that came before the answer is');
  Object.assign(answer, { picture: picture(4), underWay: undefined });
  await feed.refresh();
  say(picture(5));
  t.equal(value(), 5, 'an emulator that tells no times is believed in the order of arrival');
});

t.test(
  'half pictures, wrong sizes and garbage are passed over, and no picture of another kind comes of them',
  async (t) => {
    const { feed, say, value, told } = open(t);
    await feed.begin();
    const format = (width: number, height: number, rotation = 0) => ({
      format: 1,
      width,
      height,
      rotation: { rotation },
    });
    for (const more of [
      { image: Buffer.alloc(BYTES / 2) },
      { image: Buffer.alloc(BYTES + 1) },
      { image: Buffer.from('garbage') },
      { image: Buffer.alloc(0) },
      { format: format(5, 6) },
      { format: format(-4, -6) },
      { format: format(99_999, 99_999) },
      { format: format(4, 6, 7) },
      { format: null },
    ]) {
      say(picture(9, { timestampUs: 2_000, ...more }));
    }
    t.same([value(), told.frames, told.ended], [1, 0, []]);
    say(picture(2, { timestampUs: 2_000, format: format(6, 4, 1) }));
    t.match(feed.take(), { width: 6, height: 4, turns: 1 });
  },
);

t.test('a feed that ends is opened again, and is lost when it ends again and again', async (t) => {
  const { feed, calls, told, say } = open(t);
  await feed.begin();
  for (let count = 0; count < 101; count++) say(picture(0, { image: Buffer.from('garbage') }));
  t.ok(calls[0]?.cancelled, 'nothing but garbage ends it as well');
  for (let ends = 1; told.ended.length === 0 && ends < 10; ends++) {
    while (calls.length <= ends) await sleep(20);
    if (ends === 1) say(picture(7, { timestampUs: 3_000 }));
    calls.at(-1)?.emit(ends % 2 ? 'end' : 'error', new Error('gone\n\u001b[2J \u0000'));
  }
  t.same(told.ended, ['gone [2J'], 'which is told once, in plain words');
  t.equal(calls.length, 5, 'a picture in between begins the count anew');
});

t.test('an emulator that cannot write the shared file is asked for messages instead', async (t) => {
  const { feed, calls, say, value } = open(t, t.testdir());
  await feed.begin();
  const file = calls[0]?.handle ?? '';
  writeFileSync(file, Buffer.alloc(BYTES, 6), { flag: 'r+' });
  say(picture(0, { image: Buffer.alloc(0), timestampUs: 2_000 }));
  t.equal(value(), 6, 'the picture is in the file');
  calls[0]?.emit('error', new Error('FAILED_PRECONDITION'));
  while (calls.length < 2) await sleep(20);
  t.equal(calls[1]?.handle, undefined);
  say(picture(7, { timestampUs: 3_000 }));
  t.equal(value(), 7);
});

t.test('files of pictures go with their feed, and those of killed processes with the next one', async (t) => {
  const folder = t.testdir();
  mkdirSync(join(folder, 'runcloud-screen-99999999-abcdef'));
  mkdirSync(join(folder, 'another'));
  const { feed } = open(t, folder);
  t.match(
    readdirSync(folder).map((name) => name.replace(/-\w+$/, '')),
    ['another', `runcloud-screen-${process.pid}`],
  );
  feed.close();
  feed.close();
  t.same(readdirSync(folder), ['another']);
});
