import type { ScreenEncoding } from '@runcloud/protocol';
import t from 'tap';
import { type SlotPicture, ViewerSlot } from '../../server/screen/viewer-slot.ts';
import { KEY } from '../support/bearers.ts';
import { last } from '../support/scripted-device.ts';
import { picture } from './pictures.ts';
import { FakeSink, openScreens } from './scripted-screen.ts';

const H264 = { encodings: ['h264', 'jpeg'] } as const;

t.test('a stream that is too much for all of its viewers is bound to what the fastest takes', async (t) => {
  const { clock, screens, streams } = openScreens();
  const sinks = [new FakeSink(), new FakeSink()] as const;
  const slow = screens.watch(H264, 1, sinks[0], KEY);
  const stream = last(streams);
  // The slow one hears of a quarter of the pictures.
  const run = async (ms: number, quick?: typeof slow) => {
    let keysGiven = stream.keysAsked;
    for (let atMs = 0; atMs < ms; atMs += 10) {
      const wanted = stream.keysAsked > keysGiven;
      keysGiven = stream.keysAsked;
      stream.listener.picture(picture({ key: wanted || atMs === 0, encoding: 'h264', bytes: 2_000 }));
      if (atMs % 40 === 0 && sinks[0].packets.length > 0) {
        acknowledged = Math.min(acknowledged + 1, last(sinks[0].sequence));
        slow.acknowledged(acknowledged);
      }
      if (quick) quick.acknowledged(last(sinks[1].sequence));
      await clock.advance(10);
    }
  };
  let acknowledged = 0;
  await run(3_000);
  t.ok((stream.bounds.at(-1) ?? 0) > 0, 'one that cannot take it is the only viewer');
  const quick = screens.watch(H264, 2, sinks[1], KEY);
  t.equal(stream.bounds.at(-1), undefined, 'no more once somebody comes who may take it all');
  await run(200, quick);
  t.equal(stream.bounds.at(-1), undefined, 'and does');
  quick.leave();
  await run(200);
  t.ok((stream.bounds.at(-1) ?? 0) > 0, 'and again when only the slow one is left');
  await run(40_000);
  t.ok(stream.bounds.length < 1_000, 'small changes are not told');
});

t.test('a stream of whole pictures or tiles is never bound', async (t) => {
  for (const encoding of ['jpeg', 'tiles'] as const) {
    const { clock, screens, streams } = openScreens();
    const sink = new FakeSink();
    const viewer = screens.watch({ ...H264, encodings: [encoding] }, 1, sink, KEY);
    const stream = last(streams);
    for (let turn = 0; turn < 200; turn++) {
      stream.listener.picture(picture({ key: turn % 50 === 0, encoding, bytes: 20_000 }));
      if (turn % 20 === 19) viewer.acknowledged(last(sink.sequence));
      await clock.advance(10);
    }
    t.same(stream.bounds, []);
  }
});

t.test('deltas of a stream that may be bound wait for a slow link, and those of tiles do not', async (t) => {
  const hasWaited = (encoding: ScreenEncoding): boolean => {
    const slot = new ViewerSlot<SlotPicture>();
    const delta = { key: false, encoding };
    let waited = false;
    let atMs = 0;
    for (const endMs of [2_000, 6_000]) {
      slot.offer({ key: true, encoding });
      slot.sent(1_000_000, atMs);
      // Falls behind, the second time as one that is known to be slow.
      for (; atMs < endMs; atMs += 16) {
        slot.offer(delta);
        const before = slot.numbers.leftOut;
        const turn = slot.nextAction(atMs, 0);
        if (turn.kind === 'send') slot.sent(10_000, atMs);
        else if (slot.numbers.leftOut === before && !slot.idle && before === 0) waited = true;
      }
      slot.acknowledged(slot.numbers.seq - 1, atMs);
    }
    return waited;
  };
  t.equal(hasWaited('h264'), true);
  t.equal(hasWaited('tiles'), false);
});
