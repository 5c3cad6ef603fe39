import t from 'tap';
import { REPEAT_INTERVAL_MS } from '../../../server/host/stream/picture-stream.ts';
import { deferred } from '../../support/scripted-device.ts';
import { FRAME_MS, H264, JPEG, quiet, StreamArena } from './stream-arena.ts';

t.test('a watcher of a still screen is sent a key picture at once, and then nothing', async (t) => {
  const arena = new StreamArena();
  await arena.watch(1, H264);
  t.strictSame(arena.sent(1), ['k0']);
  const { waiting } = arena.clock;
  await arena.clock.advance(60_000);
  t.strictSame(arena.sent(1), ['k0']);
  t.equal(arena.captures, 1);
  t.equal(waiting, 0, 'not even a timer runs');
});

t.test('each change is captured once and encoded once for each stream, without a tick', async (t) => {
  const arena = new StreamArena();
  const first = await arena.watch(1, H264);
  const second = await arena.watch(2, JPEG);
  const before = arena.captures;
  for (let change = 0; change < 5; change++) {
    await arena.clock.advance(1_000);
    await arena.change();
  }
  t.equal(arena.captures - before, 5);
  t.strictSame(arena.sent(1), ['k0', 'p1', 'p2', 'p3', 'p4', 'p5']);
  t.strictSame(arena.sent(2), ['k0', 'k1', 'k2', 'k3', 'k4', 'k5']);
  t.strictSame([first.asked.length, second.asked.length], [6, 6]);
});

t.test('changes that come faster than the rate are shown by the newest picture, when its time has come', async (t) => {
  const arena = new StreamArena();
  await arena.watch(1, H264);
  await arena.clock.advance(1_000);
  for (let change = 0; change < 4; change++) await arena.change();
  t.strictSame(arena.sent(1), ['k0', 'p1']);
  await arena.clock.advance(FRAME_MS);
  t.strictSame(arena.sent(1), ['k0', 'p1', 'p4']);
});

t.test('a screen that never rests gives each stream its own rate, and 60 a second at most', async (t) => {
  for (const [maxFps, expected] of [
    [60, 60],
    [1_000, 60],
    [30, 30],
    [7, 7],
  ] as const) {
    const arena = new StreamArena();
    await arena.watch(1, { ...H264, maxFps });
    for (let ms = 0; ms < 2_000; ms++) {
      await arena.change();
      await arena.clock.advance(1);
    }
    const rate = arena.heard(1).pictures.length / 2;
    t.ok(rate > expected * 0.9 && rate <= expected + 1, `${rate} for ${maxFps}`);
  }
});

t.test('many streams of one screen share a part of the time, however many there are; recordings do not', async (t) => {
  const arena = new StreamArena();
  /** The share of two seconds in which streams were encoded. */
  const timeOf = async (costMs: number) => {
    for (const encoder of arena.encoders) {
      encoder.costMs = costMs;
      encoder.asked.length = 0;
    }
    const startMs = arena.clock.monotonicMs();
    while (arena.clock.monotonicMs() < startMs + 2_000) {
      await arena.change();
      await arena.clock.advance(1);
    }
    const elapsedMs = arena.clock.monotonicMs() - startMs;
    return arena.encoders.map(({ asked }) => (asked.length * costMs) / elapsedMs);
  };
  const sum = (shares: readonly number[]) => shares.reduce((all, one) => all + one, 0);
  for (const number of [1, 2]) await arena.watch(number, { ...JPEG, quality: number });
  const two = await timeOf(5);
  t.ok(
    two.every((share) => share > 0.2),
    `two have the rate that they ask for: ${two}`,
  );
  for (let number = 3; number <= 12; number++) await arena.watch(number, { ...JPEG, quality: number });
  const twelve = await timeOf(5);
  t.ok(sum(twelve) < 0.85, `together ${sum(twelve)} of the time`);
  t.ok(Math.min(...twelve) > 0.03, `each has its part: ${twelve}`);
  const recording = { picture: () => undefined, ended: () => undefined };
  const subscription = arena.pipeline.subscribe({ serves: ({ quality }) => quality === 7, profile: JPEG }, recording);
  const recorded = await timeOf(5);
  t.ok(
    (recorded[6] ?? 0) > 2 * Math.max(recorded[0] ?? 1, recorded[11] ?? 1),
    `what is recorded has its rate: ${recorded}`,
  );
  subscription.close();
  const after = await timeOf(5);
  t.ok((after[6] ?? 1) < 0.1, 'until it is recorded no longer');
  for (let number = 3; number <= 12; number++) arena.pipeline.unwatch(number);
  const again = await timeOf(5);
  t.ok(
    again.slice(0, 2).every((share) => share > 0.2),
    `two again: ${again.slice(0, 2)}`,
  );
});

t.test('key requests are merged, also when the screen is still', async (t) => {
  const arena = new StreamArena();
  const encoder = await arena.watch(1, H264);
  await arena.clock.advance(1_000);
  for (let request = 0; request < 10; request++) arena.pipeline.requestKey(1);
  await quiet();
  t.strictSame(arena.sent(1), ['k0', 'k=0']);
  for (let request = 0; request < 10; request++) {
    arena.pipeline.requestKey(1);
    await arena.clock.advance(4);
  }
  t.strictSame(arena.sent(1), ['k0', 'k=0'], 'one was just sent');
  await arena.clock.advance(20);
  t.strictSame(arena.sent(1), ['k0', 'k=0', 'k=0']);
  t.equal(encoder.asked.length, 3);
});

t.test('a key request of one stream costs the others nothing', async (t) => {
  const arena = new StreamArena();
  await arena.watch(1, H264);
  await arena.watch(2, JPEG);
  await arena.clock.advance(1_000);
  arena.pipeline.requestKey(1);
  await quiet();
  t.strictSame(arena.sent(1), ['k0', 'k=0']);
  t.strictSame(arena.sent(2), ['k0']);
});

t.test('an input that changes no pixel is told of at once, and once', async (t) => {
  const arena = new StreamArena();
  await arena.watch(1, H264);
  await arena.watch(2, JPEG);
  await arena.clock.advance(1_000);
  await arena.touchInVain(9);
  t.strictSame(arena.sent(1), ['k0', 'p=0']);
  t.strictSame(arena.sent(2), ['k0', 'k=0']);
  for (const stream of [1, 2]) t.equal(arena.heard(stream).pictures.at(-1)?.inputSeq, 9);
  await arena.clock.advance(1_000);
  await arena.touchInVain(9);
  t.strictSame([arena.sent(1).length, arena.sent(2).length], [2, 2]);
  t.equal(arena.clock.waiting, 0, 'and then nothing runs');
});

t.test('where repeating costs a whole picture, many inputs that change nothing share one', async (t) => {
  const arena = new StreamArena();
  await arena.watch(1, H264);
  await arena.watch(2, JPEG);
  await arena.clock.advance(1_000);
  for (let inputSeq = 1; inputSeq <= 8; inputSeq++) {
    await arena.touchInVain(inputSeq);
    await arena.clock.advance(20);
  }
  t.equal(arena.sent(1).length, 9);
  const told = () => arena.heard(2).pictures.map(({ inputSeq }) => inputSeq);
  t.strictSame(told(), [0, 1, 5]);
  await arena.clock.advance(REPEAT_INTERVAL_MS);
  await quiet();
  t.strictSame(told(), [0, 1, 5, 8]);
  t.equal(arena.clock.waiting, 0);
});

t.test('a repeat that waits is not needed after a change', async (t) => {
  const arena = new StreamArena();
  await arena.watch(1, JPEG);
  await arena.clock.advance(1_000);
  await arena.touchInVain(1);
  await arena.clock.advance(30);
  await arena.touchInVain(2);
  await arena.change({ inputSeq: 2 });
  await arena.clock.advance(1_000);
  t.strictSame(arena.sent(1), ['k0', 'k=0', 'k1']);
  t.equal(arena.clock.waiting, 0);
});

t.test('pictures say which input they show, how the device is held and when they were taken', async (t) => {
  const arena = new StreamArena();
  await arena.watch(1, JPEG);
  await arena.clock.advance(1_000);
  await arena.change({ orientation: 'landscape_left', inputSeq: 77 });
  t.match(arena.heard(1).pictures.at(-1), {
    encoding: 'jpeg',
    orientation: 'landscape_left',
    inputSeq: 77,
    capturedAtUs: arena.clock.wallMs() * 1_000,
    width: 4,
    height: 6,
  });
});

t.test('a stream that is left is encoded no more, and its encoder is freed', async (t) => {
  const arena = new StreamArena();
  const encoder = await arena.watch(1, H264);
  arena.pipeline.unwatch(1);
  await arena.clock.advance(1_000);
  const { captures } = arena;
  await arena.change();
  arena.pipeline.requestKey(1);
  arena.pipeline.unwatch(1);
  await quiet();
  t.equal(arena.captures, captures, 'a screen that nobody watches is not captured');
  t.strictSame([encoder.asked.length, encoder.closed, arena.heard(1).ended], [1, 1, []]);
});

t.test('a stream that is left while its encoder is made never begins', async (t) => {
  const arena = new StreamArena();
  const watching = arena.pipeline.watch(1, H264);
  arena.pipeline.unwatch(1);
  await watching;
  await quiet();
  t.equal(arena.encoders[0]?.closed, 1);
  t.strictSame(arena.heard(1), { pictures: [], ended: [] });
});

t.test('an encoder that fails ends its own stream with the reason, and no other', async (t) => {
  const arena = new StreamArena();
  const failing = await arena.watch(1, H264);
  await arena.watch(2, JPEG);
  await arena.clock.advance(1_000);
  failing.failure = new Error('out of memory');
  await arena.change();
  await arena.clock.advance(1_000);
  await arena.change();
  t.strictSame(arena.heard(1).ended, ['the h264 encoder failed: out of memory']);
  t.equal(failing.closed, 1);
  t.strictSame(arena.sent(2), ['k0', 'k1', 'k2']);
});

t.test('an encoder that cannot be loaded ends the stream with the reason', async (t) => {
  const arena = new StreamArena();
  arena.missing = new Error('no binary for this machine');
  await arena.pipeline.watch(1, H264);
  t.strictSame(arena.heard(1).ended, ['the host has no h264 encoder: no binary for this machine']);
  arena.missing = undefined;
  await arena.watch(2, JPEG);
  t.strictSame(arena.sent(2), ['k0']);
});

t.test('an encoder on another thread is given one picture at a time, the newest', async (t) => {
  const arena = new StreamArena();
  const encoder = await arena.watch(1, JPEG);
  await arena.clock.advance(1_000);
  encoder.holds = true;
  await arena.change();
  for (let change = 0; change < 3; change++) {
    await arena.clock.advance(100);
    await arena.change();
  }
  t.equal(encoder.asked.length, 2);
  encoder.holds = false;
  encoder.held[0]?.();
  await quiet();
  t.strictSame(arena.sent(1), ['k0', 'k1', 'k4']);
});

t.test('the next picture is captured while an encoder works on another thread, if no other stream waits', async (t) => {
  const arena = new StreamArena();
  const encoder = await arena.watch(1, H264);
  await arena.clock.advance(1_000);
  encoder.holds = true;
  await arena.change();
  const { captures } = arena;
  await arena.clock.advance(20);
  await arena.change();
  t.equal(arena.captures, captures + 1, 'it is captured ahead');
  t.equal(encoder.asked.length, 2, 'the encoder is asked for one at a time');
  encoder.held[0]?.();
  await quiet();
  t.equal(encoder.asked.length, 3, 'without another capture');
  t.equal(arena.captures, captures + 1);
  encoder.holds = false;
  encoder.held[1]?.();
  await quiet();
  t.strictSame(arena.sent(1), ['k0', 'p1', 'p2']);

  encoder.holds = true;
  await arena.watch(2, JPEG);
  await arena.clock.advance(1_000);
  await arena.change();
  const held = encoder.asked.length;
  const sent = arena.sent(2).length;
  for (let change = 0; change < 3; change++) {
    await arena.clock.advance(100);
    await arena.change();
  }
  t.equal(arena.sent(2).length, sent + 3, 'another stream does not wait for that encoder');
  t.equal(encoder.asked.length, held);
});

t.test('no stream captures while an encoder reads, and the newest picture comes next', async (t) => {
  const arena = new StreamArena();
  const encoder = await arena.watch(1, H264);
  const other = await arena.watch(2, JPEG);
  await arena.clock.advance(1_000);
  const reading = deferred<void>();
  encoder.reading = reading.promise;
  encoder.holds = true;
  await arena.change();
  const { captures } = arena;
  for (let change = 0; change < 3; change++) {
    await arena.clock.advance(100);
    await arena.change();
  }
  t.equal(arena.captures, captures, 'the device draws nothing over what is read');
  encoder.reading = undefined;
  reading.resolve();
  await quiet();
  t.strictSame(arena.sent(2), ['k0', 'k1', 'k4'], 'others go on when it is read, also while it is encoded');
  t.strictSame([encoder.asked.length, other.asked.length], [2, 3]);
  encoder.holds = false;
  encoder.held[0]?.();
  await quiet();
  t.strictSame(arena.sent(1), ['k0', 'p1', 'p4']);
});

t.test('a pool that is busy for a moment costs a stream neither its rate nor its size', async (t) => {
  const arena = new StreamArena();
  const encoder = await arena.watch(1, H264);
  const shares: number[] = [];
  Object.assign(encoder, { reduceTo: (share: number) => void shares.push(share) });
  encoder.holds = true;
  const show = async (pictures: number, costMs: number) => {
    for (let picture = 0; picture < pictures; picture++) {
      await arena.clock.advance(FRAME_MS);
      await arena.change();
      await arena.clock.advance(costMs);
      for (const give of encoder.held.splice(0)) give();
      await quiet();
    }
  };
  await show(60, 1);
  // Something else has the threads for a second and a half.
  await show(25, 40);
  await show(30, 1);
  t.strictSame([...new Set(shares)], [1]);
  const { length } = arena.heard(1).pictures;
  await show(30, 0);
  t.ok(arena.heard(1).pictures.length - length >= 29, 'at the full rate');
});

t.test('a pipeline that stands still begins no capture and ends no stream', async (t) => {
  const arena = new StreamArena();
  const encoder = await arena.watch(1, H264);
  await arena.clock.advance(1_000);
  const { captures } = arena;
  arena.pipeline.quiesce();
  await arena.change();
  arena.pipeline.requestKey(1);
  await arena.clock.advance(1_000);
  t.strictSame([arena.captures, encoder.closed, arena.heard(1).ended], [captures, 0, []]);
});

t.test('a packet that an encoder of another thread returns after the end of its stream is dropped', async (t) => {
  const arena = new StreamArena();
  const encoder = await arena.watch(1, JPEG);
  await arena.clock.advance(1_000);
  encoder.holds = true;
  await arena.change();
  arena.pipeline.unwatch(1);
  encoder.held[0]?.();
  await quiet();
  t.strictSame(arena.sent(1), ['k0']);
});

t.test(
  'a device that cannot be captured for a moment is tried again; one that stays so ends its streams',
  async (t) => {
    const arena = new StreamArena();
    await arena.watch(1, H264);
    const { capture } = arena.device;
    arena.device.capture = async () => {
      throw new Error('no signal');
    };
    await arena.clock.advance(1_000);
    await arena.change();
    await arena.clock.advance(500);
    arena.device.capture = capture;
    for (let turn = 0; turn < 10; turn++) await arena.clock.advance(100);
    t.strictSame(arena.sent(1), ['k0', 'p1']);
    arena.device.capture = async () => {
      throw new Error('no signal');
    };
    await arena.change();
    for (let turn = 0; turn < 50; turn++) await arena.clock.advance(100);
    t.strictSame(arena.heard(1).ended, ['the screen cannot be captured: no signal']);
    t.equal(arena.clock.waiting, 0);
  },
);

t.test('closing ends every stream, also one whose encoder is being made', async (t) => {
  const arena = new StreamArena();
  await arena.watch(1, H264);
  const watching = arena.pipeline.watch(2, JPEG);
  arena.pipeline.close('the device was closed');
  await watching;
  await arena.change();
  await arena.clock.advance(1_000);
  t.strictSame(arena.heard(1).ended, ['the device was closed']);
  t.strictSame(arena.heard(2), { pictures: [], ended: ['the device was closed'] });
  t.ok(arena.encoders.every(({ closed }) => closed === 1));
});

t.test('a host that lacks time lowers the rate for all who watch, and raises it again', async (t) => {
  const arena = new StreamArena();
  const encoder = await arena.watch(1, H264);
  const rateOver = async (ms: number) => {
    const before = arena.heard(1).pictures.length;
    const untilMs = arena.clock.monotonicMs() + ms;
    while (arena.clock.monotonicMs() < untilMs) {
      await arena.change();
      await arena.clock.advance(1);
    }
    return ((arena.heard(1).pictures.length - before) * 1_000) / ms;
  };
  encoder.costMs = 16;
  await rateOver(2_500);
  const strained = await rateOver(1_000);
  t.ok(strained <= 32, `${strained} a second`);
  encoder.costMs = 1;
  await rateOver(5_000);
  const eased = await rateOver(1_000);
  t.ok(eased > 54, `${eased} a second`);
});
