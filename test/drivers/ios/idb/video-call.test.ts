import { EventEmitter } from 'node:events';
import { stat } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import type { CompanionClient } from '../../../../server/drivers/ios/idb/companion-client.ts';
import { unknownHabits, videoCall } from '../../../../server/drivers/ios/idb/video-call.ts';
import { annexBPictures } from '../../../support/ios/annex-b-pictures.ts';
import { unitsOf } from '../../../support/ios/serve-sim-stand-in.ts';

/** A call as grpc-js has it, and what was asked of it. */
class FakeCall extends EventEmitter {
  readonly written: object[] = [];
  ended = false;
  cancelled = false;

  write(message: object): void {
    this.written.push(message);
  }

  end(): void {
    this.ended = true;
  }

  cancel(): void {
    this.cancelled = true;
    this.emit('error', new Error('cancelled'));
  }
}

/** The bytes of its slices. */
const slicesIn = (annexB: Uint8Array): number =>
  unitsOf(Buffer.from(annexB)).reduce((sum, unit) => sum + ((unit[0] ?? 0) % 32 < 6 ? unit.length : 0), 0);

const pictures = await annexBPictures(3);
const EXPECTED = pictures.map((picture) => `picture of ${slicesIn(picture)}`);
const say = (call: FakeCall, data: Buffer) => call.emit('data', { payload: { data } });

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 2_000 && !holds(); tries++) await sleep(10);
}

function open(habits = unknownHabits()) {
  const call = new FakeCall();
  const told: string[] = [];
  const stop = videoCall({ video_stream: () => call } as unknown as CompanionClient, habits, {
    head: () => told.push('head'),
    picture: ({ payload }) => told.push(`picture of ${slicesIn(payload)}`),
    ended: (reason) => told.push(reason),
  });
  return { call, told, stop };
}

t.test(
  'H.264 is asked for, and a listener that stops is no longer told, and the companion that it may stop',
  async (t) => {
    const { call, told, stop } = open();
    t.match(call.written, [{ start: { format: 'H264' } }]);
    stop();
    stop();
    t.match(call.written, [{}, { stop: {} }]);
    t.same([call.written.length, call.ended], [2, true]);
    call.emit('data', { payload: { data: Buffer.alloc(10, 0xff) } });
    call.emit('end');
    call.emit('error', new Error('late'));
    t.same(told, []);
    await until(() => call.cancelled);
    t.ok(call.cancelled, 'one that does not stop by itself is cut off');
    t.same(told, []);
  },
);

for (const [what, happen, reason] of [
  ['breaks off', (call: FakeCall) => call.emit('error', new Error('14 UNAVAILABLE:\u0007 gone')), /broke off: .*gone$/],
  ['ends', (call: FakeCall) => call.emit('end'), /ended its video/],
  [
    'is garbage',
    (call: FakeCall) => call.emit('data', { payload: { data: Buffer.alloc(100, 0xff) } }),
    /garbled: the video has no start codes/,
  ],
] as const) {
  t.test(`a video that ${what} is told once, with the reason, and stopped`, async (t) => {
    const { call, told } = open();
    call.emit('data', {});
    call.emit('data', { payload: {} });
    t.same(told, [], 'words of its log are no pictures');
    happen(call);
    happen(call);
    call.emit('end');
    t.equal(told.length, 1);
    t.match(told[0], reason);
    t.notOk(told[0]?.includes('\u0007'));
    t.ok(call.ended);
  });
}

t.test('a picture that comes whole is told when nothing follows it', async (t) => {
  const { call, told, stop } = open();
  for (const [index, picture] of pictures.entries()) {
    say(call, picture);
    await until(() => told.length === index + 2);
  }
  t.same(told, ['head', ...EXPECTED]);
  stop();
});

t.test('no half picture is told, however long its pieces are apart, from the first one on', async (t) => {
  for (const bytes of [1_500, 4_000]) {
    const { call, told, stop } = open();
    for (const [index, picture] of pictures.entries()) {
      for (let at = 0; at < picture.length; at += bytes) {
        t.equal(told.length, index === 0 ? 0 : index + 1);
        say(call, picture.subarray(at, at + bytes));
        await sleep(at === 0 ? 100 : 12);
      }
      await until(() => told.length === index + 2);
    }
    t.same(told, ['head', ...EXPECTED], `pieces of ${bytes} bytes`);
    stop();
  }
});

t.test('a picture that breaks off with its video is not told', async (t) => {
  const { call, told } = open();
  const [first = Buffer.alloc(0), second = Buffer.alloc(0)] = pictures;
  for (let at = 0; at < first.length; at += 1_500) say(call, first.subarray(at, at + 1_500));
  await until(() => told.length === 2);
  say(call, second.subarray(0, 1_500));
  await sleep(100);
  call.emit('error', new Error('14 UNAVAILABLE: killed'));
  t.same(told.slice(0, 2), ['head', EXPECTED[0]]);
  t.match(told.slice(2), [/broke off/]);
});

t.test('a pause of this thread between two pieces ends no picture', async (t) => {
  const { call, told, stop } = open();
  const [picture = Buffer.alloc(0)] = pictures;
  await new Promise<void>((resolve) => {
    setImmediate(() => {
      say(call, picture.subarray(0, 1_500));
      // The answer of the file system is there before the pause ends, and is heard behind the timers that are due by then.
      stat('/', () => {
        say(call, picture.subarray(1_500));
        resolve();
      });
      const untilMs = performance.now() + 50;
      while (performance.now() < untilMs);
    });
  });
  await until(() => told.length === 2);
  t.same(told, ['head', EXPECTED[0]]);
  stop();
});

t.test('a video whose last picture has no end is begun anew, not waited for', async (t) => {
  const { call, told } = open();
  const [picture = Buffer.alloc(0)] = pictures;
  say(call, picture.subarray(0, 1_500));
  await until(() => told.length === 1);
  t.match(told, [/has no end/]);
});
